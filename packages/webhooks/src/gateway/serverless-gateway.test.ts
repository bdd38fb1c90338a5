import { expect, it } from 'vitest'
import { bytesOf, doorbell, proofOf, rung, secret } from '../../test/doorbell.ts'
import {
  createGateway,
  createSecretKeeper,
  createServerlessGateway,
  memoryBus,
  staticSecrets,
  type Gateway,
  type GatewayResponse,
  type ServerlessGatewayOptions,
} from '../index.ts'

const common = { providers: [doorbell], secrets: staticSecrets({ doorbell: [secret] }), now: () => 0 }

async function deliver(gateway: Gateway, body: Uint8Array, key = secret): Promise<GatewayResponse> {
  return gateway.handle({
    method: 'POST',
    provider: 'doorbell',
    headers: new Headers(await proofOf(body, key)),
    readBody: async (sink) => {
      sink.push(body)
    },
  })
}

it('answers and publishes as a gateway without an inbox does', async () => {
  const deliveries: [Uint8Array, string?][] = [
    [rung()],
    [rung()],
    [rung('2'), 'another secret'],
    [bytesOf({ kind: 'polished' })],
    [bytesOf({ kind: 'broken', id: '3' })],
    [bytesOf('no JSON')],
  ]
  const [whole, serverless] = await Promise.all(
    [createGateway, createServerlessGateway].map(async (create) => {
      const publisher = memoryBus()
      const gateway = create({ ...common, publisher, newId: () => 'd-1' })
      const answers = []
      for (const [body, key] of deliveries) answers.push(await deliver(gateway, body, key))
      return { answers, events: publisher.events, providers: gateway.providers }
    }),
  )
  expect(serverless).toEqual(whole)
  expect(serverless?.answers.map(({ status }) => status)).toEqual([200, 200, 401, 200, 503, 400])
  expect(serverless?.events).toHaveLength(1)
})

it('names each delivery by another UUID', async () => {
  const publisher = memoryBus()
  const gateway = createServerlessGateway({ ...common, publisher })
  for (const id of ['1', '2']) await deliver(gateway, rung(id))
  const ids = publisher.events.map(({ source }) => source.deliveryId)
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

it.each<[string, ServerlessGatewayOptions['secrets']]>([
  ['none', staticSecrets({})],
  ['an empty one', staticSecrets({ doorbell: [''] })],
  ['none that could be leased', createSecretKeeper({ lease: () => Promise.reject(new Error('away')) })],
])('answers 503 with %s for a secret, and says to a log which', async (_, secrets) => {
  const errors: unknown[] = []
  const gateway = createServerlessGateway({
    ...common,
    secrets,
    publisher: memoryBus(),
    observe: ({ error }) => errors.push(error),
  })
  const { status, headers, body } = await deliver(gateway, rung())
  expect([status, headers['Retry-After']]).toEqual([503, '5'])
  expect(body).toContain('PROVIDER_UNAVAILABLE')
  expect(errors).toEqual([expect.any(Error)])
  expect((errors[0] as Error).message).toMatch(/"doorbell"|away/)
})

it('takes no two providers of one name', () => {
  const providers = [doorbell, doorbell]
  expect(() => createServerlessGateway({ ...common, providers, publisher: memoryBus() })).toThrow(TypeError)
})
