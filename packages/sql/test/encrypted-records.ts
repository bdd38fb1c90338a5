import type { WebhookEvent } from '@sallyport/webhooks'
import { expect } from 'vitest'
import type { EncryptedDatabase } from './encrypted-databases.ts'
import { getDelivery } from './records.ts'

const { signal } = new AbortController()

/** Texts that each stand in another column. */
export const secrets = [
  'header',
  'query',
  'body',
  'data',
  'answer',
  'queued',
  'refused header',
  'refused body',
].map((name) => `secret ${name}`)

/** A delivery of two events: the data of the first is the body. */
export function secretDelivery(id = 'doorbell:1') {
  const plain = getDelivery(id)
  const data = { door: 'secret body' }
  const [record] = plain.events
  const event = { ...record!.event, data }
  return {
    ...plain,
    headers: { 'x-name': 'secret header' },
    query: 'name=secret query',
    body: Buffer.from(JSON.stringify(data)),
    values: ['person@example.com'],
    events: [
      { ...record!, event, notify: false, dataIsBody: true },
      { ...record!, event: { ...event, id: `${id}:data`, data: { door: 'secret data' } }, notify: false },
    ],
  }
}

/** Stores a secret in each sealed column, and returns the ids of the deliveries. */
export async function storeSecrets(database: EncryptedDatabase) {
  const inbox = database.inbox()
  const delivery = secretDelivery()
  await inbox.record(delivery)
  const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 60_000, maxBytes: 1000 })
  await database.bus().publish(
    claimed.map(({ event }) => event),
    signal,
  )
  const laneDelivery = secretDelivery('doorbell:lane')
  const [inLane] = laneDelivery.events
  const lane = { name: 'front', isOrdered: true }
  await inbox.record({ ...laneDelivery, events: [{ ...inLane!, lane }] })
  const [claimedLane] = (await inbox.claimLanes?.({ limit: 1, events: 1, leaseMs: 60_000 })) ?? []
  const response = { status: 500, durationMs: 1, body: 'secret answer' }
  const outcome = { status: 'retry', afterMs: 0, error: 'The answer was 500', response } as const
  const settlements = [{ id: 'doorbell:lane', lease: claimedLane!.lease, outcome }]
  await inbox.settleLanes?.([{ name: 'front', lease: claimedLane!.lease, settlements, releases: true }])
  const queued = { ...delivery.events[1]!.event, id: 'doorbell:queued', data: 'secret queued' }
  await database.queue().publish([queued], signal)
  await database.unprocessed().add([
    {
      ...{ id: 'refused', outcome: 'refused', provider: 'doorbell', status: 401, receivedAt: 1 },
      ...{ bodyBytes: 19, storedBytes: 100, values: ['refused@example.com'] },
      headers: { 'x-name': 'secret refused header' },
      body: Buffer.from('secret refused body'),
    },
  ])
  return { id: delivery.id, laneId: laneDelivery.id }
}

/** Lets a consumer of the bus give up its events. */
export async function buryEvents(database: EncryptedDatabase): Promise<void> {
  const consumer = database.consumer({
    name: 'failing',
    attempts: 1,
    handlers: { 'doorbell/bell.rung': () => Promise.reject(new RangeError('no')) },
  })
  await consumer.start()
  await expect.poll(() => database.consumers().countDeadLetters('failing'), { timeout: 10_000 }).toBe(2)
  await consumer.stop()
}

/** Reads every secret of a database. */
export async function readSecrets(
  database: EncryptedDatabase,
  { id, laneId }: { readonly id: string; readonly laneId: string },
): Promise<string> {
  const inbox = database.inbox()
  const detail = await inbox.get(id)
  const inLane = await inbox.get(laneId)
  const request = await inbox.getRequest?.(id)
  const refused = await database.unprocessed().get('refused')
  const bus = await database.bus().read({ limit: 10 })
  const queued: WebhookEvent[] = []
  const consumer = database.queue().consumer({
    name: 'reading',
    handlers: { 'doorbell/bell.rung': (event: WebhookEvent) => void queued.push(event) },
  })
  await consumer.start()
  await expect.poll(() => queued).toHaveLength(1)
  await consumer.stop()
  const toText = (body: Uint8Array | undefined) => Buffer.from(body ?? []).toString()
  const bodies = [detail?.body, request?.body, refused?.body].map(toText)
  return JSON.stringify([detail, inLane, request, refused, bus, queued, bodies])
}
