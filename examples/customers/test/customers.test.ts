import { builtInSamples } from '@sallyport/providers/samples'
import { startExample } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import { createHmac, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const samples = await builtInSamples.get('github')?.()

interface Customer {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** Starts the application on a host, and returns what its users do. */
async function startApplication(host: string, url: string, keys: string) {
  const env = { DATABASE_URL: url, ENCRYPTION_KEYS: keys, ADMIN_TOKEN: 'admin', ANALYSIS_MS: '2000' }
  const example = await startExample(folder, { entry: `src/${host}.ts`, env })

  async function call(method: string, path: string, json?: object, token = 'admin') {
    const { status, text } = await example.send({
      ...{ method, path },
      headers: [
        ['authorization', `Bearer ${token}`],
        ...(json ? [['content-type', 'application/json'] as const] : []),
      ],
      ...(json && { body: Buffer.from(JSON.stringify(json)) }),
    })
    return { status, text, json: () => JSON.parse(text) as { readonly data: unknown } }
  }

  /** Delivers an event of a kind, and returns its status. The secret can be that of another customer. */
  async function deliver({ url: path, secret }: Customer, kind: string, change: object = {}) {
    const sample = samples?.sample(kind, { fresh: false, now: Date.now })
    const body = Buffer.from(JSON.stringify({ ...(sample?.body as object), ...change }))
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = [
      ['x-github-event', kind.split('.')[0] ?? ''],
      ['x-github-delivery', 'one'],
      ['x-hub-signature-256', `sha256=${signature}`],
    ] as const
    const { status, text } = await example.send({ path, headers, body })
    return (JSON.parse(text) as { data?: { status: string } }).data?.status ?? status
  }

  return { ...example, call, deliver }
}
type Application = Awaited<ReturnType<typeof startApplication>>

describeWith('postgres', (postgres) => {
  const keys = randomBytes(32).toString('base64')
  let app: Application
  let pool: Pool
  beforeAll(() => {
    pool = new Pool({ connectionString: postgres().url })
  })
  afterAll(() => pool.end())

  describe.each(['fastify', 'express', 'hono'])('%s', (host) => {
    beforeAll(async () => {
      app = await startApplication(host, postgres().url, keys)
    })
    afterAll(() => app.close())

    const createEndpoint = async (name: string) =>
      (await app.call('POST', '/operations/endpoints', { provider: 'github', name })).json().data as Customer

    it('handles the same event of two customers once each', async () => {
      const [acme, beta] = [await createEndpoint('acme'), await createEndpoint('beta')]
      expect(await app.deliver(acme, 'star.created')).toBe('accepted')
      expect(await app.deliver(beta, 'star.created')).toBe('accepted')
      expect(await app.deliver(beta, 'star.created')).toBe('duplicate')
      for (const { id } of [acme, beta]) await expect.poll(app.output).toContain(`${id}: `)
      const list = async () =>
        (await app.call('GET', `/operations/deliveries?endpoint=${beta.id}`)).json().data
      await expect.poll(list).toMatchObject([{ provider: 'github', endpoint: beta.id, status: 'published' }])
    })

    it('refuses the secret of another customer, and keeps the delivery', async () => {
      const [acme, beta] = [await createEndpoint('acme'), await createEndpoint('beta')]
      expect(await app.deliver({ ...acme, secret: beta.secret }, 'star.created')).toBe(401)
      const list = async () =>
        (await app.call('GET', `/operations/unprocessed-deliveries?endpoint=${acme.id}`)).json()
      await expect.poll(list).toMatchObject({ data: [{ outcome: 'refused', reason: 'mismatch' }] })
    })

    it('serves the console, and the operations API only with the token', async () => {
      const page = await app.call('GET', '/console/overview')
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('../operations')])
      expect((await app.call('GET', '/operations/endpoints', undefined, 'wrong')).status).toBe(401)
    })
  })

  describe('processing', () => {
    beforeAll(async () => {
      app = await startApplication('fastify', postgres().url, keys)
    })
    afterAll(() => app.close())

    const createCustomer = async (name: string, hasPaid = true) =>
      (await app.call('POST', '/customers', { name, has_paid: hasPaid })).json() as unknown as Customer
    const pushAll = async (customer: Customer, heads: readonly string[]) => {
      for (const after of heads) expect(await app.deliver(customer, 'push', { after })).toBe('accepted')
    }
    const listHeads = async ({ id }: Customer) => {
      const { rows } = await pool.query<{ head: string }>(
        'select head from pushes where endpoint = $1 order by id',
        [id],
      )
      return rows.map(({ head }) => head)
    }
    const createHeads = (count: number) => Array.from({ length: count }, (_, index) => `commit ${index}`)

    it('keeps the order of the events of a customer', async () => {
      const customer = await createCustomer('acme')
      const heads = createHeads(30)
      await pushAll(customer, heads)
      await expect.poll(() => listHeads(customer)).toEqual(heads)
    })

    it('does not delay a customer by one whose events fail, and shows the reason', async () => {
      const [failing, paying] = [await createCustomer('failing', false), await createCustomer('paying')]
      const heads = createHeads(60)
      await pushAll(failing, heads)
      await pushAll(paying, ['quick'])
      await expect.poll(() => listHeads(paying)).toEqual(['quick'])
      const failures = (await app.call('GET', `/operations/failures?endpoint=${failing.id}`)).text
      expect(failures).toContain('The customer has not paid')

      await pool.query('update customers set has_paid = true where endpoint = $1', [failing.id])
      expect((await app.call('POST', '/operations/retries', { endpoint: failing.id })).status).toBe(202)
      await expect.poll(() => listHeads(failing)).toEqual(heads)
    })

    it('does not delay a customer by the long work of another', async () => {
      const [busy, quick] = [await createCustomer('busy'), await createCustomer('quick')]
      const countRuns = () => app.output().split(`${busy.id}: `).length - 1
      for (const run of [1, 2, 3, 4])
        await app.deliver(busy, 'workflow_run.completed', { workflow_run: { id: run } })
      await pushAll(quick, ['quick'])
      await expect.poll(() => listHeads(quick)).toEqual(['quick'])
      expect(countRuns()).toBeLessThan(4)
      await expect.poll(countRuns).toBe(4)
    })

    it('stores an event once when the process is killed, and when the event is handled again', async () => {
      const customer = await createCustomer('crash')
      const heads = createHeads(40)
      await pushAll(customer, heads)
      await app.kill()
      app = await startApplication('fastify', postgres().url, keys)
      await expect.poll(() => listHeads(customer)).toEqual(heads)

      await pool.query('delete from pushes where endpoint = $1 and head = $2', [customer.id, 'commit 3'])
      const { status } = await app.call('POST', '/operations/replays', {
        ...{ endpoint: customer.id, reprocess: true },
      })
      expect(status).toBe(202)
      await expect.poll(async () => (await listHeads(customer)).length).toBe(heads.length)
      expect((await listHeads(customer)).sort()).toEqual([...heads].sort())
    })

    it('erases a customer with the pending events', async () => {
      const [leaving, staying] = [await createCustomer('leaving', false), await createCustomer('staying')]
      await pushAll(leaving, ['waits', 'waits behind it'])
      await pushAll(staying, ['stays'])
      const { status, json } = await app.call('DELETE', `/customers/${leaving.id}`)
      expect([status, json()]).toMatchObject([200, { deliveries: 2, cancelled: 2, busy: 0 }])
      expect(await app.deliver(leaving, 'push')).toBe(404)
      expect(await listHeads(staying)).toEqual(['stays'])
      expect((await app.call('DELETE', `/customers/${staying.id}`, undefined, 'wrong')).status).toBe(401)
    })
  })
})

it('the application has at most 150 lines', async () => {
  const files = await readdir(`${folder}/src`)
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/src/${file}`, 'utf8')))
  expect(texts.join('').trim().split('\n').length).toBeLessThanOrEqual(150)
})
