import { builtInSamples } from '@sallyport/providers/samples'
import { startExample } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const hosts = ['fastify', 'express', 'hono'] as const
const samples = await builtInSamples.get('github')?.()
const push = samples?.sample('push', { fresh: false, now: Date.now })
const body = Buffer.from(JSON.stringify(push?.body))

describeWith('postgres', (postgres) => {
  describe.each(hosts)('%s', (host) => {
    let example: Awaited<ReturnType<typeof startExample>>
    beforeAll(async () => {
      const keys = { ENCRYPTION_KEYS: randomBytes(32).toString('base64'), ADMIN_TOKEN: 'admin' }
      const env = { DATABASE_URL: postgres().url, ...keys }
      example = await startExample(folder, { entry: `src/${host}.ts`, env })
    })
    afterAll(() => example.close())

    async function call(method: string, path: string, json?: object, token = 'admin') {
      const { status, text } = await example.send({
        ...{ method, path },
        headers: [
          ['authorization', `Bearer ${token}`],
          ['content-type', 'application/json'],
        ],
        ...(json && { body: Buffer.from(JSON.stringify(json)) }),
      })
      return { status, text, json: () => JSON.parse(text) as { readonly data: unknown } }
    }

    async function createCustomer(name: string) {
      const created = await call('POST', '/operations/endpoints', { provider: 'github', name })
      return created.json().data as { readonly id: string; readonly url: string; readonly secret: string }
    }

    async function deliver(path: string, secret: string) {
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = [
        ['x-github-event', 'push'],
        ['x-github-delivery', 'one'],
        ['x-hub-signature-256', `sha256=${signature}`],
      ] as const
      const { status, text } = await example.send({ path, headers, body })
      return (JSON.parse(text) as { data?: { status: string } }).data?.status ?? status
    }

    it('handles the same event of two customers once each', async () => {
      const [acme, beta] = [await createCustomer('acme'), await createCustomer('beta')]
      expect(await deliver(acme.url, acme.secret)).toBe('accepted')
      expect(await deliver(beta.url, beta.secret)).toBe('accepted')
      expect(await deliver(beta.url, beta.secret)).toBe('duplicate')
      for (const { id } of [acme, beta]) await expect.poll(example.output).toContain(id)
      const list = async () => (await call('GET', `/operations/deliveries?endpoint=${beta.id}`)).json().data
      await expect.poll(list).toMatchObject([{ provider: 'github', endpoint: beta.id, status: 'published' }])
    })

    it('refuses the secret of another customer, and keeps the delivery', async () => {
      const [acme, beta] = [await createCustomer('acme'), await createCustomer('beta')]
      expect(await deliver(acme.url, beta.secret)).toBe(401)
      const list = async () =>
        (await call('GET', `/operations/unprocessed-deliveries?endpoint=${acme.id}`)).json()
      await expect.poll(list).toMatchObject({ data: [{ outcome: 'refused', reason: 'mismatch' }] })
    })

    it('serves the console, and the operations API only with the token', async () => {
      const page = await call('GET', '/console/overview')
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('../operations')])
      expect((await call('GET', '/operations/endpoints', undefined, 'wrong')).status).toBe(401)
    })
  })
})

const readSource = async (host: string) =>
  (await readFile(`${folder}/src/${host}.ts`, 'utf8')).trim().split('\n')

it.each(hosts)('the application on %s has at most 30 lines', async (host) => {
  expect((await readSource(host)).length).toBeLessThanOrEqual(30)
})

it('the README shows the application on Fastify', async () => {
  const readme = await readFile(`${folder}/../../packages/webhooks/README.md`, 'utf8')
  const own = (await readSource('fastify')).join('\n').split("authorize.ts'\n")[1] ?? 'no application'
  expect(readme).toContain(own)
})
