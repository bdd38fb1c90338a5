import { describeWith } from '@sallyport/test-support/services'
import { memoryBus, type InternalEvent } from '@sallyport/webhooks'
import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'

const body = JSON.stringify({ zen: 'Speak like a human.', hook_id: 1, hook: { type: 'Repository' } })

describeWith('postgres', (postgres) => {
  const events: InternalEvent[] = []
  let app: Awaited<ReturnType<typeof createApp>>
  let base = ''

  beforeAll(async () => {
    const bus = memoryBus()
    bus.subscribe((event) => {
      events.push(event)
    })
    app = await createApp({
      databaseUrl: postgres().url,
      encryptionKeys: [randomBytes(32).toString('base64')],
      publisher: bus,
      authorize: ({ headers }) => headers.authorization === 'Bearer admin',
    })
    base = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  async function createCustomer(name: string, token = 'admin') {
    const response = await fetch(`${base}/customers/${name}/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    const { url = '', secret = '' } =
      text === '' ? {} : (JSON.parse(text) as { url?: string; secret?: string })
    return { status: response.status, url, secret }
  }

  async function deliver(url: string, secret: string) {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const response = await fetch(base + url, {
      method: 'POST',
      headers: {
        'x-github-delivery': 'one',
        'x-github-event': 'ping',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    })
    const { data } = (await response.json()) as { data?: { status: string } }
    return data?.status ?? response.status
  }

  it('publishes the same event of two customers once each', async () => {
    const [acme, beta] = [await createCustomer('acme'), await createCustomer('beta')]
    expect(await deliver(acme.url, acme.secret)).toBe('accepted')
    expect(await deliver(beta.url, beta.secret)).toBe('accepted')
    expect(await deliver(beta.url, beta.secret)).toBe('duplicate')
    const ids = [acme, beta].map(({ url }) => url.split('/').at(-1))
    await expect.poll(() => events.map(({ source }) => source.endpoint).sort()).toEqual(ids.sort())
  })

  it('refuses the secret of another customer', async () => {
    const [acme, beta] = [await createCustomer('acme'), await createCustomer('beta')]
    expect(await deliver(acme.url, beta.secret)).toBe(401)
  })

  it('creates no endpoint without the token', async () => {
    expect((await createCustomer('acme', 'wrong')).status).toBe(401)
  })
})
