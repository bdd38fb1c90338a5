import type { DeliveryDetail, DeliverySummary, EventState, Failure } from '@sallyport/webhooks'
import type { DeliveryDetailResource, DeliveryResource } from './schemas.ts'

/** A delivery in a list. */
export function toDelivery({ events, ...delivery }: DeliverySummary): DeliveryResource {
  const { created_at, ...summary } = summaryOf(delivery)
  return { ...summary, event_counts: events, created_at }
}

/** A delivery with everything that is kept of it. */
export function toDetail({ headers, body, events, ...delivery }: DeliveryDetail): DeliveryDetailResource {
  const { created_at, ...summary } = summaryOf(delivery)
  return {
    ...summary,
    headers,
    body: body === undefined ? null : toText(body),
    events: events.map(toEvent),
    created_at,
  }
}

function summaryOf(delivery: Omit<DeliverySummary, 'events'>) {
  return {
    id: delivery.id,
    provider: delivery.provider,
    status: delivery.status,
    reason: delivery.reason ?? null,
    reason_detail: delivery.reasonDetail ?? null,
    body_state: delivery.bodyState,
    body_bytes: delivery.bodyBytes,
    created_at: timeOf(delivery.receivedAt),
  }
}

function toEvent({ event, notification, ...state }: EventState): DeliveryDetailResource['events'][number] {
  return {
    id: event.id,
    name: event.name,
    subject: event.subject,
    route: state.route,
    state: state.status,
    ...attemptsOf(state, state.status === 'published'),
    lease_ends_at: optionalTime(state.leaseEndsAt),
    occurred_at: timeOf(event.ts),
    published_at: optionalTime(state.publishedAt),
    duplicate: state.duplicate ?? false,
    notification:
      notification === undefined
        ? null
        : { state: notification.status, ...attemptsOf(notification, notification.status === 'sent') },
  }
}

function attemptsOf(
  { attempts, dueAt, failures }: Pick<EventState, 'attempts' | 'dueAt' | 'failures'>,
  succeeded: boolean,
) {
  return {
    // The inbox counts those that failed.
    attempts: attempts + (succeeded ? 1 : 0),
    due_at: optionalTime(dueAt),
    failures: failures.map(({ at, error }: Failure) => ({ at: timeOf(at), error })),
  }
}

// A byte order mark is part of the bytes.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function toText(bytes: Uint8Array): NonNullable<DeliveryDetailResource['body']> {
  try {
    return { encoding: 'utf-8', data: utf8.decode(bytes) }
  } catch {
    return { encoding: 'base64', data: Buffer.from(bytes).toString('base64') }
  }
}

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()
const optionalTime = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : timeOf(milliseconds)
