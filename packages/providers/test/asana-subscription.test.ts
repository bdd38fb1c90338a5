import { createHmac } from 'node:crypto'
import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { asana } from '../src/services/asana.ts'
import { asana as service } from '../src/subscriptions/asana.ts'

/** An Asana that creates a webhook after its handshake, and sends to its target. */
function createAsana(receive: (request: Request) => Promise<Response>) {
  const hooks: { gid: string; target: string; secret: string; active: boolean }[] = []
  const post = (target: string, headers: Readonly<Record<string, string>>, body: string) =>
    receive(new Request(target, { method: 'POST', headers, body }))
  const create = async ({ target }: { readonly target: string }) => {
    const secret = createHmac('sha256', 'asana').update(target).digest('hex')
    const answer = await post(target, { 'x-hook-secret': secret }, '')
    if (answer.headers.get('x-hook-secret') !== secret) return Response.json({}, { status: 400 })
    const hook = { gid: String(hooks.length + 1), target, secret, active: true }
    hooks.push(hook)
    return Response.json({ data: hook, 'X-Hook-Secret': secret }, { status: 201 })
  }
  return {
    hooks,
    fetch: (async (_, init) =>
      typeof init?.body === 'string'
        ? create((JSON.parse(init.body) as { data: { target: string } }).data)
        : Response.json({ data: hooks, next_page: null })) satisfies typeof fetch,
    async deliver(action: string) {
      const { target = '', secret = '' } = hooks.at(-1) ?? {}
      const event = {
        resource: { gid: '7', resource_type: 'task' },
        action,
        created_at: '2026-11-29T10:00:00Z',
      }
      const body = JSON.stringify({ events: [event] })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hook-signature': signature }
      return (await post(target, headers, body)).status
    },
  }
}

it('registers a webhook of Asana, and accepts its deliveries, also after Asana deleted the webhook', async () => {
  const server = createAsana((request) => webhooks.fetch(request))
  const webhooks = createWebhooks({
    ...{ database: createMemoryDatabase(), providers: [asana], endpoints: true, on: {} },
    handlers: { unhandled: 'ignore' },
    encryptionKeys: ['0'.repeat(64)],
    publicUrl: 'https://hooks.example.com',
    subscriptions: { services: [service], credentials: () => 'token', pollMs: 5, fetch: server.fetch },
  })
  webhooks.start()
  onTestFinished(() => webhooks.stop(0))
  const { id } = await webhooks.endpoints.create({ provider: 'asana', name: 'Acme' })
  const parameters = { workspace: '1331', resource: '8675309' }
  const added = await webhooks.subscriptions?.add({ service: 'asana', endpoint: id, parameters })
  await vi.waitFor(async () => {
    expect(await server.deliver('added')).toBe(200)
  })
  server.hooks.splice(0)
  await webhooks.subscriptions?.renew(added?.id ?? '')
  await vi.waitFor(async () => {
    expect(await server.deliver('changed')).toBe(200)
  })
  expect(server.hooks).toHaveLength(1)
})
