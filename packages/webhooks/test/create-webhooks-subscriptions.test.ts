import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { echoHandshake } from '../src/handshakes/index.ts'
import { createMemoryDatabase, createWebhooks, type WebhooksOptions } from '../src/node/index.ts'
import type { SubscriptionContext, SubscriptionService } from '../src/subscriptions/index.ts'
import { doorbell, rung, signBody } from './doorbell.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const expiresAt = Date.now() + 86_400_000 * 3

function createService(changes: Partial<SubscriptionService> = {}) {
  const registered: { id: string; url: string; secret: string | undefined; expiresAt: number }[] = []
  const renewals: string[] = []
  const service: SubscriptionService = {
    name: 'doorbell',
    secret: 'endpoint',
    parameters: z.strictObject({}),
    renewOn: ['bell.rung'],
    list: ({ address }) => Promise.resolve(registered.filter(({ url }) => url === address)),
    async create({ address, secrets: [secret], token }: SubscriptionContext) {
      const id = `${await token({ isRefused: false })}-${registered.length}`
      registered.push({ id, url: address, secret, expiresAt })
      return { id, expiresAt, secret: service.secret === 'created' ? `new-${id}` : undefined }
    },
    renew: (_, one) => {
      renewals.push(one.id)
      return Promise.resolve(one)
    },
    remove(_, { id }) {
      registered.splice(0, registered.length, ...registered.filter((one) => one.id !== id))
      return Promise.resolve()
    },
    ...changes,
  }
  return { service, registered, renewals }
}

function open(service: SubscriptionService, options: Partial<WebhooksOptions<[typeof doorbell], true>> = {}) {
  const database = createMemoryDatabase()
  const webhooks = createWebhooks({
    database,
    providers: [doorbell],
    endpoints: true,
    encryptionKeys: ['0'.repeat(64)],
    publicUrl: 'https://hooks.example.com',
    on: {},
    handlers: { unhandled: 'ignore' },
    subscriptions: { services: [service], credentials: ({ credential = 'token' }) => credential, pollMs: 5 },
    ...options,
  })
  webhooks.start()
  closing.push(() => webhooks.stop(0))
  const { subscriptions } = webhooks
  if (subscriptions === undefined) throw new Error('No subscriptions')
  return { database, webhooks, subscriptions }
}

it('registers an endpoint with its address and secret, and removes both together', async () => {
  const { service, registered } = createService()
  const { webhooks, subscriptions, database } = open(service)
  const endpoint = await webhooks.endpoints.create({
    provider: 'doorbell',
    name: 'Acme',
    secret: 'the secret',
  })
  await subscriptions.add({ service: 'doorbell', endpoint: endpoint.id, parameters: {}, credential: 'acme' })
  await vi.waitFor(() => {
    expect(registered).toMatchObject([
      {
        id: 'acme-0',
        url: `https://hooks.example.com/webhooks/doorbell/${endpoint.id}`,
        secret: 'the secret',
      },
    ])
  })
  const deleting = webhooks.endpoints.delete(endpoint.id, { version: 7 })
  await expect(deleting).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
  expect(registered).toHaveLength(1)
  expect(await webhooks.endpoints.delete(endpoint.id)).toBe(true)
  expect([registered, await subscriptions.count()]).toEqual([[], 0])
  const entries = await database.audit().list({ limit: 10 })
  expect(entries.map(({ action }) => action)).toEqual(['subscription.remove', 'subscription.create'])
  expect(JSON.stringify(entries)).not.toContain('secret')
})

it('stores the secret that a service creates as that of the endpoint', async () => {
  const { service, registered } = createService({ secret: 'created' })
  const { webhooks, subscriptions } = open(service)
  const { id } = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme' })
  await subscriptions.add({ service: 'doorbell', endpoint: id, parameters: {} })
  await vi.waitFor(async () => {
    expect((await webhooks.endpoints.find(id))?.secrets).toEqual(['new-token-0'])
  })
  expect(registered).toHaveLength(1)
  const ofProvider = subscriptions.add({ service: 'doorbell', parameters: {} })
  await expect(ofProvider).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

it('registers an endpoint of another provider than the service', async () => {
  const { service, registered } = createService({ name: 'mail', provider: 'doorbell', secret: 'none' })
  const { webhooks, subscriptions } = open(service)
  const { id } = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme', secret: 'a' })
  await subscriptions.add({ service: 'mail', endpoint: id, parameters: {} })
  await vi.waitFor(() => {
    expect(registered).toMatchObject([{ url: `https://hooks.example.com/webhooks/doorbell/${id}` }])
  })
})

it('answers a handshake only during the creation, and stores only the secret of its answer', async () => {
  const handshake = echoHandshake({
    ...{ from: { header: 'x-hook-secret' }, as: { header: 'x-hook-secret' } },
    establishesSecret: true,
  })
  const shake = async (address: string, secret: string) => {
    const init = { method: 'POST', headers: { 'x-hook-secret': secret }, body: '' }
    const { status, headers } = await webhooks.fetch(new Request(address, init))
    return [status, headers.get('x-hook-secret')]
  }
  const answers: unknown[] = []
  const { service, registered } = createService({ secret: 'created' })
  const create: SubscriptionService['create'] = async (context) => {
    answers.push(await shake(context.address, 'forged'), await shake(context.address, 'new'))
    return await service.create(context)
  }
  const { webhooks, subscriptions } = open(
    { ...service, create },
    { providers: [{ ...doorbell, handshake }] },
  )
  const { id } = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme' })
  const added = await subscriptions.add({ service: 'doorbell', endpoint: id, parameters: {} })
  const getSecrets = async () => (await webhooks.endpoints.find(id))?.secrets ?? []
  await vi.waitFor(async () => {
    expect((await getSecrets())[0]).toBe('new-token-0')
  })
  expect(await shake(`https://hooks.example.com/webhooks/doorbell/${id}`, 'forged')).toEqual([401, null])
  registered.pop()
  await subscriptions.renew(added.id)
  await vi.waitFor(async () => {
    expect(await getSecrets()).toHaveLength(3)
  })
  // The endpoint had no secret: a random one is stored first.
  expect((await getSecrets()).at(-1)).toMatch(/^[0-9a-f]{64}$/)
  expect((await getSecrets()).slice(0, 2)).toEqual(['new-token-0', 'new-token-0'])
  const answered = [
    [200, 'forged'],
    [200, 'new'],
  ]
  expect(answers).toEqual([...answered, ...answered])
})

it('renews a subscription once when events ask for it', async () => {
  const { service, renewals } = createService()
  const { webhooks, subscriptions } = open(service)
  const { id } = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme', secret: 'the secret' })
  await subscriptions.add({ service: 'doorbell', endpoint: id, parameters: {} })
  await vi.waitFor(async () => {
    expect((await subscriptions.list({ limit: 1 }))[0]?.progress.registration).toBeDefined()
  })
  for (const event of ['1', '2']) {
    const body = rung(event)
    const init = { method: 'POST', body, headers: await signBody(body, 'the secret') }
    const response = await webhooks.fetch(
      new Request(`https://hooks.example.com/webhooks/doorbell/${id}`, init),
    )
    expect(response.status).toBe(200)
  }
  await vi.waitFor(() => {
    expect(renewals).toEqual(['token-0'])
  })
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(renewals).toHaveLength(1)
})

it('alerts about a subscription that could not be renewed', async () => {
  const refused = Object.assign(new Error('The token is refused'), { code: 'HTTP_401' })
  const { service } = createService({ list: () => Promise.reject(refused) })
  const send = vi.fn(() => Promise.resolve())
  const { database, webhooks, subscriptions } = open(service, {
    alerts: { targets: [{ name: 'chat', send }], holdMs: 0, checkMs: 5 },
  })
  const { id } = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme', secret: 'the secret' })
  const added = await subscriptions.add({ service: 'doorbell', endpoint: id, parameters: {} })
  const store = database.subscriptions()
  await vi.waitFor(async () => {
    expect((await store.get(added.id))?.progress.failures).toBe(1)
  })
  await store.change({ id: added.id })
  await vi.waitFor(async () => {
    expect((await store.get(added.id))?.progress.failures).toBe(2)
  })
  await store.change({ id: added.id })
  await vi.waitFor(() => {
    expect(send).toHaveBeenCalledWith(
      expect.objectContaining({
        name: `subscription_expires/${id}`,
        title: 'The subscription of Acme could not be created',
        text: 'The subscription at doorbell could not be created: 401.',
      }),
      expect.anything(),
    )
  })
})

it('needs the public address and a store', () => {
  const { service } = createService()
  expect(() => open(service, { publicUrl: undefined as never })).toThrow('publicUrl')
  const database = { ...createMemoryDatabase(), subscriptions: undefined as never }
  expect(() => open(service, { database })).toThrow('store of subscriptions')
})
