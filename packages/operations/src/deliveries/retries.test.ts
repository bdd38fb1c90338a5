import { createMemoryAuditLog } from '@sallyport/test-support/webhooks'
import { createMemoryInbox } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

/** Opens an API whose inbox has events that wait an hour for a retry. */
async function openWaiting(keys: readonly string[]) {
  const inbox = createMemoryInbox()
  const audit = createMemoryAuditLog()
  const deliveries = keys.map((key) => createDelivery(key))
  for (const delivery of deliveries) await inbox.record(delivery)
  const claim = () => inbox.claim('publish', { limit: 10_000, leaseMs: 60_000 })
  const outcome = { status: 'retry', afterMs: 3_600_000, error: 'TimeoutError' } as const
  const claimed = await claim()
  await inbox.settle(
    'publish',
    claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
  )
  const host = await hosts['fetch']!(createOperations({ operations: { inbox, audit } }, { authorize }))
  return { call: createCall(host), deliveries, audit, claim }
}

it('makes the waiting events of a delivery due', async () => {
  const { call, deliveries, claim, audit } = await openWaiting(['doorbell:a', 'doorbell:b'])
  const id = deliveries[1]?.id ?? ''
  expect(await call('POST', `/deliveries/${id}/retries`)).toEqual({
    status: 202,
    body: { data: { events: 1, more: false } },
  })
  expect((await claim()).map(({ event }) => event.id)).toEqual(['doorbell:b'])
  expect(await call('POST', `/deliveries/${id}/retries`)).toMatchObject({ body: { data: { events: 0 } } })
  const [entry] = await audit.list({ limit: 10, order: 'oldest', action: 'events.retry' })
  expect(entry).toMatchObject({ action: 'events.retry', target: id })
})

it('answers 404 for an unknown delivery', async () => {
  const { call } = await openWaiting([])
  const path = '/deliveries/01890a5d-ac96-774b-bcce-b302099a8057/retries'
  expect(await call('POST', path)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
})

it('makes all waiting events due that match, in portions', async () => {
  const keys = Array.from({ length: 2500 }, (_, index) => `doorbell:${index}`)
  const { call, claim } = await openWaiting(keys)
  expect(await call('POST', '/retries', { error: 'another' })).toMatchObject({
    body: { data: { events: 0 } },
  })
  expect(await call('POST', '/retries', { error: 'TimeoutError', provider: 'doorbell' })).toEqual({
    status: 202,
    body: { data: { events: 2500, more: false } },
  })
  expect(await claim()).toHaveLength(2500)
})

it('requires a criterion', async () => {
  const { call } = await openWaiting(['doorbell:a'])
  expect(await call('POST', '/retries', {})).toMatchObject({ status: 400 })
  expect(await call('POST', '/retries', { all: true })).toMatchObject({ body: { data: { events: 1 } } })
})
