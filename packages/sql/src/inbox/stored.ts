import type {
  AttemptResponse,
  DeliveryRecord,
  EventRecord,
  ForwardFailure,
  Lane,
  LaneSettlement,
  Route,
  Settlement,
  Work,
} from '@sallyport/webhooks'
import { escapeText } from '../internal/text.ts'
import { hashValue } from '../deliveries/values.ts'

/** Failed attempts that are stored per work item: a day of retries makes about 35. */
export const maxFailures = 20

/** A delivery in its stored form: text and numbers only, so that no conversion can fail later. */
export interface StoredDelivery {
  readonly id: string
  readonly provider: string
  readonly endpoint: string | null
  readonly receivedAt: number
  /** JSON. */
  readonly headers: string
  readonly query: string | null
  /** Hashes of the values that find the delivery. */
  readonly values: readonly bigint[]
  readonly events: readonly StoredEvent[]
  readonly quarantine: { readonly key: string; readonly reason: string } | undefined
}

export interface StoredEvent {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly ts: number
  /** JSON; null for an event without data, and for data in the body. */
  readonly data: string | null
  /** Whether the data is the JSON of the delivery's body. */
  readonly dataIsBody: boolean
  readonly manual: boolean
  /** JSON. */
  readonly trace: string | null
  /** The id of the original event, for an event with a new id. */
  readonly replayOf?: string
  readonly route: Route
  readonly notify: boolean
  readonly lane: Lane | null
}

const maxErrorLength = 2000
const maxResponseLength = 4096
/** The maximum bytes of names: indexes contain them, and index entries of PostgreSQL end at 2,704 bytes. */
const maxBytes = { event: 1024, lane: 2048 }

/** @throws TypeError for an invalid text, time or data, a name that is too long, or an empty provider */
export function toStoredDelivery({
  id,
  provider,
  endpoint,
  receivedAt,
  headers,
  query,
  values = [],
  events,
  quarantine,
}: DeliveryRecord): StoredDelivery {
  if (provider === '') throw new TypeError('A delivery needs the name of its provider')
  return {
    id: escapeText(id),
    provider: escapeText(provider),
    endpoint: endpoint === undefined ? null : escapeText(endpoint),
    receivedAt: Math.floor(finite(receivedAt, 'The time of a delivery')),
    headers: JSON.stringify(headers),
    query: query === undefined ? null : escapeText(query),
    values: values.map(hashValue),
    events: events.map(toStoredEvent),
    quarantine: quarantine && { key: escapeText(quarantine.key), reason: toStoredReason(quarantine) },
  }
}

/** Estimates the memory of a delivery without its body. */
export function estimateBytes({ headers, query, events }: StoredDelivery): number {
  const described = headers.length + (query?.length ?? 0)
  return events.reduce((sum, { data }) => sum + (data?.length ?? 0), described)
}

/** @throws TypeError for an invalid text, time or data, or a name that is too long */
export function toStoredEvent({ event, route, lane, notify, dataIsBody = false }: EventRecord): StoredEvent {
  return {
    id: escapeText(event.id),
    name: short(escapeText(event.name), 'event'),
    subject: escapeText(event.subject),
    ts: finite(event.ts, 'The time of an event'),
    data: event.data === undefined || dataIsBody ? null : JSON.stringify(event.data),
    dataIsBody,
    manual: event.source.manual === true,
    trace: event.trace === undefined ? null : JSON.stringify(event.trace),
    ...(event.source.replayOf !== undefined && { replayOf: escapeText(event.source.replayOf) }),
    route,
    notify,
    lane: lane === undefined ? null : { ...lane, name: short(escapeText(lane.name), 'lane') },
  }
}

/** @throws TypeError for an invalid delay, or a notification with the outcome `queued` */
export function toStoredSettlement(work: Work, { id, lease, outcome }: Settlement): Settlement {
  if (work === 'notify' && outcome.status === 'queued') throw new TypeError('A notification is never queued')
  return { id: escapeText(id), lease, outcome: toStoredOutcome(outcome) }
}

/** @throws TypeError for an invalid delay, or the outcome `queued` */
export function toStoredLaneSettlement({ name, settlements, ...ending }: LaneSettlement): LaneSettlement {
  if (settlements.some(({ outcome }) => outcome.status === 'queued'))
    throw new TypeError('An event of a lane is never queued')
  const stored = settlements.map((settlement) => toStoredSettlement('publish', settlement))
  const afterMs = Math.ceil(finite(ending.afterMs ?? 0, 'The delay of a lane'))
  return { ...ending, name: escapeText(name), settlements: stored, afterMs }
}

export function toStoredFailure({ id, error }: ForwardFailure): ForwardFailure {
  return { id: escapeText(id), error: toStoredError(error) }
}

function toStoredOutcome(outcome: Settlement['outcome']): Settlement['outcome'] {
  switch (outcome.status) {
    case 'retry': {
      const afterMs = Math.ceil(finite(outcome.afterMs, 'The delay of a retry'))
      const { targets } = outcome
      const error = toStoredError(outcome.error)
      return { status: 'retry', afterMs, error, ...toStoredResponse(outcome), ...(targets && { targets }) }
    }
    case 'queued': {
      const redeliverAfterMs = Math.ceil(finite(outcome.redeliverAfterMs, 'The deadline of the queue'))
      return { status: 'queued', redeliverAfterMs }
    }
    case 'dead':
      return { status: 'dead', error: toStoredError(outcome.error), ...toStoredResponse(outcome) }
    case 'done':
      return { status: 'done', duplicate: outcome.duplicate === true }
    case 'released':
      return {
        status: 'released',
        afterMs: Math.ceil(finite(outcome.afterMs ?? 0, 'The delay of a release')),
      }
  }
}

function toStoredResponse({ response }: { readonly response?: AttemptResponse }) {
  if (response === undefined) return {}
  const { body, ...answer } = response
  return { response: body === undefined ? answer : { ...answer, body: body.slice(0, maxResponseLength) } }
}

/** Joins the code and the detail in one column; `deliveries/summary.ts` splits them. */
function toStoredReason({ reason, detail }: NonNullable<DeliveryRecord['quarantine']>): string {
  return escapeText(detail === undefined ? reason : `${reason}: ${detail}`)
}

function toStoredError(error: string): string {
  return escapeText(error.slice(0, maxErrorLength))
}

function short(name: string, owner: keyof typeof maxBytes): string {
  if (Buffer.byteLength(name) > maxBytes[owner])
    throw new TypeError(`The name of the ${owner} has at most ${maxBytes[owner]} bytes`)
  return name
}

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new TypeError(`${what} is not a number`)
  return value
}
