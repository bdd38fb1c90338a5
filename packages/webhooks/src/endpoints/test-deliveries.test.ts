import { expect, it } from 'vitest'
import { doorbell, encodeBody, openGateway, receivedAt, signature } from '../../test/doorbell.ts'
import { defineService, ed25519, type AnyProvider } from '../index.ts'
import type { GatewayEndpoint } from '../ports/ports.ts'
import { createTestDeliverySender } from './test-deliveries.ts'
import type { TestSamples } from '../provider/catalogue.ts'

let created = 0
const samples: TestSamples = {
  kinds: ['bell.rung', 'bell.polished', 'bell.broken'],
  sample: (kind, { fresh }) => ({
    headers: { 'content-type': 'application/json' },
    body: { kind: kind.slice('bell.'.length), id: fresh ? String(++created) : 'recorded', door: 'front' },
  }),
}

function open(changes: Partial<GatewayEndpoint> = {}, provider: AnyProvider = doorbell) {
  const endpoint: GatewayEndpoint = {
    ...{ id: 'acme', provider: provider.name, status: 'active' },
    ...{ secrets: ['the new secret', 'the old secret'], ...changes },
  }
  const endpoints = { find: (id: string) => (id === 'acme' ? endpoint : undefined) }
  const opened = openGateway({ endpoints, providers: [provider] })
  const send = createTestDeliverySender({
    ...{ endpoints, gateway: opened.gateway, providers: [provider] },
    loadSamples: () => samples,
    gatewayUrl: 'https://hooks.example/webhooks',
    now: () => receivedAt,
  })
  return { ...opened, send }
}

it('records a new event each time', async () => {
  const { send, recorded, observed } = open()
  const first = await send('acme', 'bell.rung', { requestId: 'request-1' })
  const second = await send('acme', 'bell.rung')
  const [one, other] = recorded
  expect(first).toEqual({ outcome: 'accepted', status: 200, deliveryId: one?.record.id })
  expect(second).toEqual({ outcome: 'accepted', status: 200, deliveryId: other?.record.id })
  expect(one?.record).toMatchObject({ endpoint: 'acme', events: [{ event: { name: 'doorbell/bell.rung' } }] })
  expect(observed[0]).toMatchObject({ endpoint: 'acme', requestId: 'request-1' })
})

it('signs with the newest secret, and the address', async () => {
  const seen: unknown[] = []
  const urlSigned = {
    ...doorbell,
    signature: {
      ...signature,
      verify: (...[delivery, ...rest]: Parameters<typeof signature.verify>) => {
        seen.push([delivery.url, rest[0]])
        return signature.verify(delivery, rest[0].slice(0, 1), rest[1])
      },
    },
  }
  expect(await open({}, urlSigned).send('acme', 'bell.rung')).toMatchObject({ outcome: 'accepted' })
  expect(seen.at(-1)).toEqual([
    'https://hooks.example/webhooks/doorbell/acme',
    ['the new secret', 'the old secret'],
  ])
})

it.each([
  ['bell.polished', {}, { outcome: 'ignored', status: 200 }],
  ['bell.rung', { options: { only: ['bell.opened'] } }, { outcome: 'ignored', reason: 'bell.rung' }],
  ['bell.broken', {}, { outcome: 'quarantined', status: 200, reason: 'NORMALIZER_FAILED' }],
  [
    'bell.rung',
    { status: 'disabled' },
    { outcome: 'refused', status: 410, error: { code: 'GONE', message: 'The endpoint is disabled' } },
  ],
] as const)('returns the response of the gateway: %s %j', async (kind, changes, expected) => {
  const { send, recorded } = open(changes)
  const result = await send('acme', kind)
  expect(result).toMatchObject(expected)
  expect(result?.deliveryId).toBe(recorded[0]?.record.id)
})

it('resolves to undefined for an unknown endpoint', async () => {
  expect(await open().send('other', 'bell.rung')).toBe(undefined)
})

it('rejects a kind without a sample, and lists the kinds', async () => {
  await expect(open().send('acme', 'bell.stolen')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'kind', message: 'Must be one of bell.rung, bell.polished, bell.broken' }],
  })
})

it('rejects an endpoint without a secret', async () => {
  await expect(open({ secrets: [] }).send('acme', 'bell.rung')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('rejects a provider that is not registered', async () => {
  const { gateway } = openGateway()
  const endpoints = { find: () => ({ id: 'a', provider: 'gone', status: 'active' as const, secrets: ['x'] }) }
  const send = createTestDeliverySender({ endpoints, gateway, providers: [], loadSamples: () => samples })
  await expect(send('a', 'bell.rung')).rejects.toMatchObject({ code: 'CONFLICT' })
})

it('rejects a public key of the service, and sends nothing', async () => {
  const service = defineService({
    name: 'doorbell',
    signature: ed25519({ header: 'x-signature', encoding: 'hex', keyEncoding: 'hex' }),
    kind: 'kind',
  })
  const { send, observed } = open({ secrets: ['ab'.repeat(32)] }, service)
  await expect(send('acme', 'bell.rung')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Only the service can sign') as string,
  })
  expect(observed).toEqual([])
})

it('sends a text as it is', async () => {
  const endpoints = {
    find: () => ({ id: 'a', provider: 'doorbell', status: 'active' as const, secrets: ['a secret'] }),
  }
  const { gateway, recorded } = openGateway({ endpoints })
  const text = '{ "kind": "rung",  "id": "1", "door": "front" }'
  const send = createTestDeliverySender({
    ...{ endpoints, gateway, providers: [doorbell] },
    loadSamples: () => ({ kinds: ['rung'], sample: () => ({ headers: {}, body: text }) }),
  })
  await send('a', 'rung')
  expect(recorded[0]?.record.body).toEqual(encodeBody(text))
})
