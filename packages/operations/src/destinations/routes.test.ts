import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import { afterEach, expect, it, vi } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const response = { status: 503, durationMs: 12, response: 'down' } as const

const shown = {
  name: 'billing',
  mode: 'event',
  order: 'none',
  concurrency: 10,
  rate_per_second: null,
  probe_at: null,
}

async function open() {
  const database = createMemoryDatabase()
  const audit = database.audit()
  const send = vi.fn(() =>
    Promise.resolve({ outcome: 'retry', error: 'HTTP 503', unavailable: true, ...response } as const),
  )
  const webhooks = createWebhooks({
    database,
    providers: [],
    secrets: {},
    destinations: [{ name: 'billing', mode: 'event', send }],
  })
  webhooks.start()
  closing.push(() => webhooks.stop(0))
  const api = createOperations({ operations: { ...webhooks.operations, audit, secrets } }, { authorize })
  const host = await hosts['fetch']!(api)
  /** Records an event for the destination. */
  const record = async (id: string) => {
    const { events, ...delivery } = createDelivery(id)
    const lane = { name: '>billing/0', isOrdered: false }
    const rows = events.map((one) => ({
      ...one,
      event: { ...one.event, id: `>billing/${one.event.id}` },
      lane,
    }))
    await database.inbox().record({ ...delivery, events: rows })
    return { ...delivery, events }
  }
  return { audit, record, call: createCall(host), reader: createCall(host, 'read') }
}

it('lists, pauses and resumes destinations, and records it', async () => {
  const { audit, record, call, reader } = await open()
  const reason = 'Maintenance'
  expect((await call('POST', '/destinations/billing/pause', { reason })).body).toEqual({
    data: { changed: true },
  })
  await record('a')
  expect((await reader('GET', '/destinations')).body).toMatchObject({
    data: { destinations: [{ ...shown, state: 'paused', pause_reason: reason, pending: 1 }] },
  })
  expect((await call('POST', '/destinations/billing/resume')).body).toEqual({ data: { changed: true } })
  expect((await call('POST', '/destinations/crm/pause')).status).toBe(404)
  expect((await reader('POST', '/destinations/billing/pause')).status).toBe(403)
  const entries = await audit.list({ limit: 10 })
  expect(entries.map(({ action, target, detail }) => [action, target, detail['reason']])).toEqual([
    ['destination.resume', 'billing', undefined],
    ['destination.pause', 'billing', reason],
  ])
})

it('shows what a destination answered, without the id of the row', async () => {
  const { record, reader } = await open()
  const { id, events } = await record('a')
  await vi.waitFor(
    async () => {
      expect((await reader('GET', `/deliveries/${id}`)).body).toMatchObject({
        data: {
          events: [
            {
              id: events[0]?.event.id,
              destination: 'billing',
              failures: [{ error: 'HTTP 503', response: { status: 503, duration_ms: 12, body: 'down' } }],
            },
          ],
        },
      })
    },
    { timeout: 5000 },
  )
})

it('lists the events of a destination with the newest failure', async () => {
  const { record, reader } = await open()
  const { id, events } = await record('a')
  await vi.waitFor(
    async () => {
      expect((await reader('GET', '/destinations/billing/events?state=pending')).body).toMatchObject({
        data: {
          events: [
            {
              ...{ id: events[0]?.event.id, delivery_id: id, state: 'pending', attempts: 1 },
              last_failure: { error: 'HTTP 503', response: { status: 503, duration_ms: 12, body: 'down' } },
            },
          ],
          truncated: false,
        },
      })
    },
    { timeout: 5000 },
  )
  expect((await reader('GET', '/destinations/billing/events?state=dead')).body).toEqual({
    data: { events: [], truncated: false },
  })
  expect((await reader('GET', '/deliveries?destination=billing')).body).toMatchObject({ data: [{ id }] })
  expect((await reader('GET', '/deliveries?destination=crm')).body).toMatchObject({ data: [] })
})
