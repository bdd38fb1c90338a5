import type {
  ClaimedWork,
  DeliveryDetail,
  DeliveryRecord,
  EventRecord,
  CompleteInbox,
  WebhookEvent,
  PruneOptions,
  PruneResult,
  Settlement,
  Work,
} from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'

let deliveries = 0

/** Creates a delivery of events with the given ids. */
export function createDelivery(
  now: number,
  ...events: readonly (string | Partial<EventRecord>)[]
): DeliveryRecord {
  const id = `00000000-0000-7000-8000-${String(++deliveries).padStart(12, '0')}`
  const source = { provider: 'doorbell', deliveryId: id, receivedAt: now }
  return {
    id,
    provider: 'doorbell',
    receivedAt: now,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"door":"front"}'),
    events: events.map((one) => {
      const record = typeof one === 'string' ? { event: createEvent(one, now) } : one
      const event = { ...(record.event ?? createEvent('doorbell:bell.rung:1', now)), source }
      return { route: 'direct', notify: false, ...record, event }
    }),
  }
}

/** Creates a quarantined delivery. */
export const createQuarantinedDelivery = (now: number, key = 'doorbell:q'): DeliveryRecord => ({
  ...createDelivery(now),
  quarantine: { key, reason: 'NORMALIZER_FAILED' },
})

/** Returns the delivery with another provider. */
export function withProvider(provider: string, delivery: DeliveryRecord): DeliveryRecord {
  const events = delivery.events.map(({ event, ...record }): EventRecord => {
    const [, kind] = event.name.split('/')
    return {
      ...record,
      event: { ...event, name: `${provider}/${kind}`, source: { ...event.source, provider } },
    }
  })
  return { ...delivery, provider, events }
}

/** Returns the delivery with an endpoint. */
export function withEndpoint(endpoint: string, delivery: DeliveryRecord): DeliveryRecord {
  const events = delivery.events.map(({ event, ...record }): EventRecord => ({
    ...record,
    event: { ...event, source: { ...event.source, endpoint } },
  }))
  return { ...delivery, endpoint, events }
}

export function listEventIds(work: readonly { readonly event: WebhookEvent }[]): string[] {
  return work.map(({ event }) => event.id)
}

export const claimAll = (
  inbox: CompleteInbox,
  work: Work = 'publish',
  leaseMs = 15_000,
): Promise<readonly ClaimedWork[]> => inbox.claim(work, { limit: 1000, leaseMs })

/** Returns a stored delivery. */
export async function getDetail(
  inbox: CompleteInbox,
  { id }: Pick<DeliveryRecord, 'id'>,
): Promise<DeliveryDetail> {
  const detail = await inbox.get(id)
  if (detail === undefined) throw new Error('The delivery is not there')
  return detail
}

/** Prunes in portions until the inbox reports no more. */
export async function pruneAll(
  inbox: CompleteInbox,
  options: PruneOptions,
): Promise<Omit<PruneResult, 'more'>> {
  const total = { events: 0, deliveries: 0, bodies: 0, keys: 0 }
  for (let portions = 0; portions < 1000; portions++) {
    const { more, ...portion } = await inbox.prune(options)
    for (const kind of ['events', 'deliveries', 'bodies', 'keys'] as const) total[kind] += portion[kind]
    if (!more) return total
  }
  throw new Error('There is always more to prune')
}

/** Claims all due work and settles it with one outcome. */
export async function settleAll(
  inbox: CompleteInbox,
  outcome: Settlement['outcome'] = { status: 'done' },
  work: Work = 'publish',
): Promise<readonly boolean[]> {
  const claimed = await claimAll(inbox, work)
  return inbox.settle(
    work,
    claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
  )
}
