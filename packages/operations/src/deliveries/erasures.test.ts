import {
  createMemoryAuditLog,
  createEraser,
  createMemoryUnprocessedStore,
} from '@sallyport/test-support/webhooks'
import { createMemoryInbox } from '@sallyport/webhooks'
import type { UnprocessedRecord } from '@sallyport/webhooks/unprocessed'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const createRefused = (id: string): UnprocessedRecord => ({
  ...{ id, outcome: 'refused', provider: 'doorbell', status: 401, receivedAt: 1, headers: {} },
  ...{ body: new Uint8Array(), bodyBytes: 0, storedBytes: 0 },
})

async function open() {
  const inbox = createMemoryInbox()
  const audit = createMemoryAuditLog()
  const unprocessed = createMemoryUnprocessedStore()
  const eraser = createEraser({ inbox, unprocessed })
  const api = createOperations({ operations: { inbox, eraser, audit, secrets } }, { authorize })
  const host = await hosts['fetch']!(api)
  const claim = () => inbox.claim('publish', { limit: 100, leaseMs: 60_000 })
  return { inbox, unprocessed, audit, claim, call: createCall(host), read: createCall(host, 'read') }
}

it('erases the deliveries that match, and records no subject in the audit', async () => {
  const { inbox, audit, claim, call } = await open()
  const delivery = createDelivery('doorbell:a', { endpoint: 'acme' })
  await inbox.record(delivery)
  await inbox.record(createDelivery('doorbell:b'))
  expect(await call('POST', '/erasures', { endpoint: 'acme', subject: 'front' })).toEqual({
    status: 200,
    body: { data: { deliveries: 1, cancelled: 1, unprocessed: 0, busy: 0, next: null } },
  })
  expect((await claim()).map(({ event }) => event.id)).toEqual(['doorbell:b'])
  expect(await call('GET', `/deliveries/${delivery.id}`)).toMatchObject({
    body: { data: { body_state: 'erased' } },
  })
  const [entry] = await audit.list({ limit: 1, action: 'deliveries.erase' })
  expect(entry?.detail).toEqual({
    ...{ criteria: ['endpoint', 'subject'], endpoint: 'acme' },
    ...{ deliveries: 1, cancelled: 1, unprocessed: 0, busy: 0 },
  })
})

it('erases by a value after a dry run, and the audit has no value', async () => {
  const { inbox, unprocessed, audit, call } = await open()
  const value = 'a@example.com'
  await inbox.record({ ...createDelivery('doorbell:a'), values: [value] })
  await unprocessed.add([{ ...createRefused('kept'), values: [value] }, createRefused('other')])
  await inbox.record(createDelivery('doorbell:b'))
  const body = { data: { deliveries: 1, cancelled: 1, unprocessed: 1, busy: 0, next: null } }
  expect(await call('POST', '/erasures', { value, dry_run: true })).toEqual({ status: 200, body })
  expect(await call('GET', '/deliveries?value=a@example.com')).toMatchObject({ body: { data: [{}] } })
  expect(await audit.list({ limit: 10 })).toEqual([])
  expect(await call('POST', '/erasures', { value })).toEqual({ status: 200, body })
  expect(await call('GET', '/deliveries?value=a@example.com')).toMatchObject({ body: { data: [] } })
  expect(await unprocessed.list({ limit: 10 })).toMatchObject([{ id: 'other' }])
  expect(JSON.stringify(await audit.list({ limit: 10 }))).not.toContain(value)
})

it('reports deliveries whose work is under way', async () => {
  const { inbox, claim, call } = await open()
  await inbox.record(createDelivery('doorbell:a'))
  await claim()
  expect(await call('POST', '/erasures', { all: true })).toMatchObject({ body: { data: { busy: 1 } } })
})

it.each([
  ['/cancellations', { events: 1, busy: 0, more: false }],
  ['/erasures', { deliveries: 2, cancelled: 1, unprocessed: 0, busy: 0, next: null }],
])('waits for the attempt in a lane: %s', async (path, data) => {
  const { inbox, call } = await open()
  for (const id of ['doorbell:a', 'doorbell:b']) {
    const delivery = createDelivery(id)
    const lane = { name: 'acme', isOrdered: true }
    await inbox.record({ ...delivery, events: delivery.events.map((event) => ({ ...event, lane })) })
  }
  const [held] = (await inbox.claimLanes?.({ limit: 1, events: 1, leaseMs: 60_000 })) ?? []
  const answer = call('POST', path, { all: true })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const { name, lease } = held!
  const settlements = [{ id: 'doorbell:a', lease, outcome: { status: 'done' } as const }]
  await inbox.settleLanes?.([{ name, lease, releases: true, settlements }])
  expect(await answer).toEqual({ status: 200, body: { data } })
})

it('requires a criterion, a cursor of the filter and the permission', async () => {
  const { call, read } = await open()
  expect(await call('POST', '/erasures', {})).toMatchObject({ status: 400 })
  expect(await call('POST', '/erasures', { all: true, cursor: 'another' })).toMatchObject({
    ...{ status: 400, body: { error: { details: [{ code: 'INVALID_CURSOR' }] } } },
  })
  expect(await read('POST', '/erasures', { all: true })).toMatchObject({ status: 403 })
})

it('cancels pending events that match, and reports those under way', async () => {
  const { inbox, audit, claim, call, read } = await open()
  const delivery = createDelivery('doorbell:a')
  await inbox.record(delivery)
  await claim()
  await inbox.record(createDelivery('doorbell:b', { endpoint: 'acme' }))
  expect(await call('POST', '/cancellations', { all: true })).toEqual({
    status: 200,
    body: { data: { events: 1, busy: 1, more: false } },
  })
  expect(await call('GET', '/deliveries?status=dead')).toMatchObject({
    body: { data: [{ endpoint: 'acme', last_error: 'Cancelled by an operator' }] },
  })
  expect(await audit.list({ limit: 10 })).toMatchObject([{ action: 'events.cancel', detail: { events: 1 } }])
  expect(await call('POST', '/cancellations', {})).toMatchObject({ status: 400 })
  expect(await read('POST', '/cancellations', { all: true })).toMatchObject({ status: 403 })
})
