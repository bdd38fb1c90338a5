import type {
  ForwardFailure,
  DeliveryRecord,
  EventRecord,
  Route,
  Settlement,
  Work,
} from '@sallyport/webhooks'
import { escapeText } from './text.ts'

/** A delivery as it is stored: text and numbers only, so that nothing in it can fail on the way. */
export interface StoredDelivery {
  readonly id: string
  readonly provider: string
  readonly receivedAt: number
  /** JSON. */
  readonly headers: string
  readonly events: readonly StoredEvent[]
  readonly quarantine: { readonly key: string; readonly reason: string } | undefined
}

export interface StoredEvent {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly ts: number
  /** JSON; null for no data at all. */
  readonly data: string | null
  readonly manual: boolean
  /** JSON. */
  readonly trace: string | null
  readonly route: Route
  readonly notify: boolean
}

const maxErrorLength = 2000
/** Of a name, in bytes: the published are found by it, and PostgreSQL's indexes take no more than 2,704. */
const maxNameBytes = 1024

/** @throws TypeError when a text, a time or the data of an event is none, its name is too long, or the provider's is empty */
export function toStoredDelivery({
  id,
  provider,
  receivedAt,
  headers,
  events,
  quarantine,
}: DeliveryRecord): StoredDelivery {
  if (provider === '') throw new TypeError('A delivery needs the name of its provider')
  return {
    id: escapeText(id),
    provider: escapeText(provider),
    receivedAt: Math.floor(finite(receivedAt, 'The time of a delivery')),
    headers: JSON.stringify(headers),
    events: events.map(toStoredEvent),
    quarantine: quarantine && { key: escapeText(quarantine.key), reason: toStoredReason(quarantine) },
  }
}

/** About what a delivery takes in memory, beside its body. */
export function sizeOf({ headers, events }: StoredDelivery): number {
  return events.reduce((sum, { data }) => sum + (data?.length ?? 0), headers.length)
}

/** @throws TypeError when a text, a time or the data of the event is none, or its name is too long */
export function toStoredEvent({ event, route, notify }: EventRecord): StoredEvent {
  return {
    id: escapeText(event.id),
    name: short(escapeText(event.name)),
    subject: escapeText(event.subject),
    ts: finite(event.ts, 'The time of an event'),
    data: event.data === undefined ? null : JSON.stringify(event.data),
    manual: event.source.manual === true,
    trace: event.trace === undefined ? null : JSON.stringify(event.trace),
    route,
    notify,
  }
}

/** @throws TypeError when a delay is no number, or a notification is said to be in the queue */
export function toStoredSettlement(work: Work, { id, lease, outcome }: Settlement): Settlement {
  if (work === 'notify' && outcome.status === 'queued') throw new TypeError('A notification is never queued')
  return { id: escapeText(id), lease, outcome: toStoredOutcome(outcome) }
}

export function toStoredFailure({ id, error }: ForwardFailure): ForwardFailure {
  return { id: escapeText(id), error: toStoredError(error) }
}

function toStoredOutcome(outcome: Settlement['outcome']): Settlement['outcome'] {
  switch (outcome.status) {
    case 'retry': {
      const afterMs = Math.ceil(finite(outcome.afterMs, 'The delay of a retry'))
      return { status: 'retry', afterMs, error: toStoredError(outcome.error) }
    }
    case 'queued': {
      const redeliverAfterMs = Math.ceil(finite(outcome.redeliverAfterMs, 'The deadline of the queue'))
      return { status: 'queued', redeliverAfterMs }
    }
    case 'dead':
      return { status: 'dead', error: toStoredError(outcome.error) }
    case 'done':
      return { status: 'done', duplicate: outcome.duplicate === true }
    case 'released':
      return { status: 'released' }
  }
}

/** One column holds the code and the detail: `deliveries/summary.ts` splits them. */
function toStoredReason({ reason, detail }: NonNullable<DeliveryRecord['quarantine']>): string {
  return escapeText(detail === undefined ? reason : `${reason}: ${detail}`)
}

function toStoredError(error: string): string {
  return escapeText(error.slice(0, maxErrorLength))
}

function short(name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new TypeError(`The name of an event has at most ${maxNameBytes} bytes`)
  return name
}

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new TypeError(`${what} is not a number`)
  return value
}
