import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import type { SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { defineService, hmac } from '@sallyport/webhooks'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

interface Body {
  readonly data: Readonly<Record<string, unknown>> & readonly Readonly<Record<string, unknown>>[]
}

/** Creates a function that sends requests, and returns the body with its data. */
function createReader(...given: Parameters<typeof createCall>) {
  const call = createCall(...given)
  return async (...request: Parameters<typeof call>) => {
    const answer = await call(...request)
    return { status: answer.status, body: answer.body as Body }
  }
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const expiresAt = Date.now() + 3 * 86_400_000
const doorbell = defineService({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  kind: 'type',
})

async function open() {
  const refused = Object.assign(new Error('Refused'), { code: 'HTTP_401' })
  const api = { isUp: true, renewals: 0 }
  const service: SubscriptionService<{ door: string }> = {
    name: 'doorbell',
    secret: 'endpoint',
    parameters: z.strictObject({ door: z.string() }),
    list: (_, known) => (api.isUp ? Promise.resolve(known ? [known] : []) : Promise.reject(refused)),
    create: () => Promise.resolve({ id: 's1', expiresAt }),
    renew(_, registration) {
      api.renewals++
      return Promise.resolve(registration)
    },
    remove: () => Promise.resolve(),
  }
  const webhooks = createWebhooks({
    database: createMemoryDatabase(),
    providers: [doorbell],
    endpoints: true,
    encryptionKeys: ['0'.repeat(64)],
    publicUrl: 'https://hooks.example.com',
    on: {},
    handlers: { unhandled: 'ignore' },
    subscriptions: { services: [service], credentials: () => 'token', pollMs: 5 },
  })
  webhooks.start()
  closing.push(() => webhooks.stop(0))
  const host = await hosts['fetch']!(createOperations(webhooks, { authorize }))
  const endpoint = await webhooks.endpoints.create({ provider: 'doorbell', name: 'Acme', secret: 'secret' })
  await webhooks.subscriptions?.add({
    ...{ id: 'front', service: 'doorbell', endpoint: endpoint.id, parameters: { door: 'front' } },
  })
  const call = createReader(host)
  const waitFor = async (expected: object) => {
    await vi.waitFor(async () => {
      expect((await call('GET', '/subscriptions/front')).body.data).toMatchObject(expected)
    })
  }
  return { api, call, reader: createReader(host, 'read'), endpoint, waitFor }
}

it('lists subscriptions, and shows them with their endpoint', async () => {
  const { call, reader, endpoint, waitFor } = await open()
  await waitFor({ state: 'active' })
  const end = new Date(expiresAt).toISOString()
  const shown = {
    ...{ id: 'front', service: 'doorbell', endpoint: endpoint.id, endpoint_name: 'Acme' },
    ...{ parameters: { door: 'front' }, declared: false, state: 'active', expires_at: end, error: null },
  }
  expect((await reader('GET', `/subscriptions?endpoint=${endpoint.id}`)).body).toMatchObject({
    data: [shown],
    meta: { total: 1 },
  })
  expect((await call('GET', '/subscriptions?service=other')).body.data).toEqual([])
  const summary = { state: 'active', expires_at: end, error: null }
  expect((await call('GET', `/endpoints/${endpoint.id}`)).body.data['subscription']).toEqual(summary)
  expect((await call('GET', '/endpoints')).body.data[0]?.['subscription']).toEqual(summary)
})

it('renews a subscription now, and shows the error', async () => {
  const { api, call, reader, endpoint, waitFor } = await open()
  await waitFor({ state: 'active' })
  expect((await call('POST', '/subscriptions/front/renewals')).status).toBe(202)
  await vi.waitFor(() => {
    expect(api.renewals).toBe(1)
  })
  api.isUp = false
  expect((await reader('POST', '/subscriptions/front/renewals')).status).toBe(403)
  expect((await call('POST', '/subscriptions/none/renewals')).status).toBe(404)
  await call('POST', '/subscriptions/front/renewals')
  await waitFor({ state: 'failing', error: 'HTTP_401', failures: 1 })
  const { body } = await call('GET', `/endpoints/${endpoint.id}`)
  expect(body.data['subscription']).toMatchObject({ state: 'failing', error: 'HTTP_401' })
  const { body: audit } = await call('GET', '/audit?limit=50')
  expect(audit.data.map((one) => one['action'])).toContain('subscription.renew')
})

it('accepts an endpoint that is written back', async () => {
  const { call, endpoint } = await open()
  const { body } = await call('GET', `/endpoints/${endpoint.id}`)
  const changed = await call(
    'PATCH',
    `/endpoints/${endpoint.id}`,
    Object.assign(body.data, { name: 'Acme Ltd' }),
  )
  expect([changed.status, changed.body.data['name']]).toEqual([200, 'Acme Ltd'])
})
