import { createMemoryInbox } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { createCall, createDelivery, createTestOperations } from '../../test/operations.ts'
import { searchBodies } from './search-bodies.ts'

const start = Date.UTC(2026, 0)

async function open(bodies: readonly string[]) {
  const inbox = createMemoryInbox()
  for (const [index, body] of bodies.entries())
    await inbox.record(
      createDelivery(`doorbell:${index}`, { body: Buffer.from(body), receivedAt: start + index * 1000 }),
    )
  return { inbox, call: createCall(await hosts['fetch']!(createTestOperations(inbox))) }
}

it('finds a text in bodies: as it is, escaped in JSON and encoded in a form', async () => {
  const { call } = await open(['{"name":"Zoë"}', '{"name":"Zo\\u00eb"}', 'name=Zo%C3%AB', '{"name":"Zoe"}'])
  expect(await call('POST', '/searches', { body: 'Zoë' })).toMatchObject({
    status: 200,
    body: { data: { deliveries: [{}, {}, {}], searched: 4, stopped: 'end', next: null } },
  })
  expect(await call('POST', '/searches', { body: 'Zoë', provider: 'other' })).toMatchObject({
    body: { data: { deliveries: [], searched: 0, reached_at: null } },
  })
  expect(await call('POST', '/searches', { body: 'Zo' })).toMatchObject({ status: 400 })
})

it('stops after its bound of matches and continues from there', async () => {
  const { call } = await open(Array.from({ length: 75 }, (_, index) => `{"place":"front-${index}"}`))
  const first = await call('POST', '/searches', { body: 'front-' })
  const { data } = first.body as { data: { next: string; deliveries: unknown[] } }
  expect(data).toMatchObject({ searched: 50, stopped: 'matches', reached_at: '2026-01-01T00:00:25.000Z' })
  const rest = { body: 'front-', cursor: data.next }
  expect(await call('POST', '/searches', rest)).toMatchObject({
    body: { data: { searched: 25, stopped: 'end' } },
  })
  expect(await call('POST', '/searches', { ...rest, body: 'other' })).toMatchObject({ status: 400 })
})

it('stops after its bounds of deliveries and of time', async () => {
  const { inbox } = await open(Array.from({ length: 45 }, () => '{}'))
  const search = (bounds: { readonly deliveries: number; readonly forMs: number }) =>
    searchBodies(inbox, 'front', {}, undefined, { matches: 10, ...bounds })
  expect(await search({ deliveries: 20, forMs: 60_000 })).toMatchObject({
    searched: 20,
    stopped: 'deliveries',
  })
  expect(await search({ deliveries: 100, forMs: 0 })).toMatchObject({ searched: 10, stopped: 'time' })
})
