import type { DeliveryDetail, DeliverySummary, EventState, Failure } from '@sallyport/webhooks'
import type { DeliveryDetailResource, DeliveryResource } from './schemas.ts'

/** A delivery in a list. */
export function toDelivery({ events, ...delivery }: DeliverySummary): DeliveryResource {
  const { created_at, ...summary } = toSummary(delivery)
  return { ...summary, event_counts: events, created_at }
}

/** A delivery with its content, events and attempts. */
export function toDetail({ headers, body, events, ...delivery }: DeliveryDetail): DeliveryDetailResource {
  const { created_at, ...summary } = toSummary(delivery)
  return {
    ...summary,
    headers,
    body: body === undefined ? null : toText(body),
    events: events.map(toEvent),
    created_at,
  }
}

function toSummary(delivery: Omit<DeliverySummary, 'events'>) {
  return {
    id: delivery.id,
    provider: delivery.provider,
    status: delivery.status,
    reason: delivery.reason ?? null,
    reason_detail: delivery.reasonDetail ?? null,
    body_state: delivery.bodyState,
    body_bytes: delivery.bodyBytes,
    created_at: formatTime(delivery.receivedAt),
  }
}

function toEvent({ event, notification, ...state }: EventState): DeliveryDetailResource['events'][number] {
  return {
    id: event.id,
    name: event.name,
    subject: event.subject,
    route: state.route,
    state: state.status,
    ...toAttempts(state, state.status === 'published'),
    lease_ends_at: optionalTime(state.leaseEndsAt),
    occurred_at: formatTime(event.ts),
    published_at: optionalTime(state.publishedAt),
    duplicate: state.duplicate ?? false,
    notification:
      notification === undefined
        ? null
        : { state: notification.status, ...toAttempts(notification, notification.status === 'sent') },
  }
}

function toAttempts(
  { attempts, dueAt, failures }: Pick<EventState, 'attempts' | 'dueAt' | 'failures'>,
  succeeded: boolean,
) {
  return {
    // The inbox counts failed attempts.
    attempts: attempts + (succeeded ? 1 : 0),
    due_at: optionalTime(dueAt),
    failures: failures.map(({ at, error }: Failure) => ({ at: formatTime(at), error })),
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

const formatTime = (milliseconds: number) => new Date(milliseconds).toISOString()
const optionalTime = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : formatTime(milliseconds)
