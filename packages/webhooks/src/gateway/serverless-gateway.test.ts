import { expect, it, vi } from 'vitest'
import { encodeBody, doorbell, signBody, rung, secret } from '../../test/doorbell.ts'
import {
  createGateway,
  createSecretKeeper,
  createServerlessGateway,
  createMemoryBus,
  staticSecrets,
  type Gateway,
  type GatewayResponse,
} from '../index.ts'
import type { ServerlessGatewayOptions } from './gateway.ts'

const common = { providers: [doorbell], secrets: staticSecrets({ doorbell: [secret] }), now: () => 0 }

async function deliver(gateway: Gateway, body: Uint8Array, key = secret): Promise<GatewayResponse> {
  return gateway.handle({
    method: 'POST',
    provider: 'doorbell',
    headers: new Headers(await signBody(body, key)),
    readBody: async (sink) => {
      sink.push(body)
    },
  })
}

it('answers and publishes like a gateway without an inbox', async () => {
  const deliveries: [Uint8Array, string?][] = [
    [rung()],
    [rung()],
    [rung('2'), 'another secret'],
    [encodeBody({ kind: 'polished' })],
    [encodeBody({ kind: 'broken', id: '3' })],
    [encodeBody('not JSON')],
  ]
  const [whole, serverless] = await Promise.all(
    [createGateway, createServerlessGateway].map(async (create) => {
      const publisher = createMemoryBus()
      const gateway = create({ ...common, publisher, newId: () => 'd-1' })
      const answers = []
      for (const [body, key] of deliveries) answers.push(await deliver(gateway, body, key))
      return { answers, events: publisher.events, providers: gateway.providers }
    }),
  )
  expect(serverless).toEqual(whole)
  expect(serverless?.answers.map(({ status }) => status)).toEqual([200, 200, 401, 200, 503, 503])
  expect(serverless?.events).toHaveLength(1)
})

it('creates a new UUID for each delivery', async () => {
  const publisher = createMemoryBus()
  const gateway = createServerlessGateway({ ...common, publisher })
  for (const id of ['1', '2']) await deliver(gateway, rung(id))
  const ids = publisher.events.map(({ source }) => source.deliveryId)
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

it.each<[string, ServerlessGatewayOptions['secrets']]>([
  ['no secret', staticSecrets({})],
  ['an empty secret', staticSecrets({ doorbell: [''] })],
  ['an unavailable source', createSecretKeeper({ lease: () => Promise.reject(new Error('unavailable')) })],
])('answers 503 with %s and reports the cause', async (_, secrets) => {
  const errors: unknown[] = []
  const gateway = createServerlessGateway({
    ...common,
    secrets,
    publisher: createMemoryBus(),
    observe: ({ error }) => errors.push(error),
  })
  const { status, headers, body } = await deliver(gateway, rung())
  expect([status, headers['Retry-After']]).toEqual([503, '5'])
  expect(body).toContain('PROVIDER_UNAVAILABLE')
  expect(errors).toEqual([expect.any(Error)])
  expect((errors[0] as Error).message).toMatch(/"doorbell"|unavailable/)
})

it('rejects two providers with the same name', () => {
  const providers = [doorbell, doorbell]
  expect(() => createServerlessGateway({ ...common, providers, publisher: createMemoryBus() })).toThrow(
    TypeError,
  )
})

it('warns once about services that never resend a delivery', () => {
  const forgetful = { ...doorbell, name: 'forgetful', resends: false }
  const resending = { ...doorbell, name: 'resending', resends: true }
  const options = { ...common, publisher: createMemoryBus() }
  const warn = vi.fn()
  createServerlessGateway({ ...options, providers: [doorbell, forgetful, resending], warn })
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^forgetful: .* 503\. .*docs\/runtimes\.md#put-a-queue-first$/)],
  ])
  createServerlessGateway({ ...options, warn })
  expect(warn).toHaveBeenCalledTimes(1)

  const log = vi.spyOn(console, 'warn').mockReturnValue()
  createServerlessGateway({ ...options, providers: [forgetful] })
  expect(log).toHaveBeenCalledTimes(1)
  log.mockRestore()
})
