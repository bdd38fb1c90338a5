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
import type { DataKey } from '../encryption/seal.ts'
import type { ValueHashes } from '../encryption/value-hashes.ts'
import type { Vault } from '../encryption/vault.ts'

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
  /** The key of its values, for an encrypted delivery. */
  readonly key: DataKey | undefined
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

/** Seals the texts of deliveries and events. */
export interface Sealing extends Pick<Vault, 'newKey' | 'seal' | 'subjects'> {
  readonly hashes: Pick<ValueHashes, 'write'>
}

/** @throws TypeError for an invalid text, time or data, a name that is too long, or an empty provider */
export function toStoredDelivery(
  {
    provider,
    endpoint,
    receivedAt,
    headers,
    query,
    values = [],
    events,
    quarantine,
    ...delivery
  }: DeliveryRecord,
  sealing: Sealing,
): StoredDelivery {
  if (provider === '') throw new TypeError('A delivery needs the name of its provider')
  const id = escapeText(delivery.id)
  const key = sealing.newKey()
  const seal = (text: string, column: 'headers' | 'query') => sealing.seal(text, `${column} ${id}`, key)
  return {
    id,
    key,
    provider: escapeText(provider),
    endpoint: endpoint === undefined ? null : escapeText(endpoint),
    receivedAt: Math.floor(finite(receivedAt, 'The time of a delivery')),
    headers: seal(JSON.stringify(headers), 'headers'),
    query: query === undefined ? null : seal(escapeText(query), 'query'),
    values: values.map(sealing.hashes.write),
    events: events.map((event) =>
      toStoredEvent(event, {
        subjects: sealing.subjects,
        seal: (data, row) => sealing.seal(data, row, key),
      }),
    ),
    quarantine: quarantine && { key: escapeText(quarantine.key), reason: toStoredReason(quarantine) },
  }
}

/** Estimates the memory of a delivery without its body. */
export function estimateBytes({ headers, query, events }: StoredDelivery): number {
  const described = headers.length + (query?.length ?? 0)
  return events.reduce((sum, { data }) => sum + (data?.length ?? 0), described)
}

/** @throws TypeError for an invalid text, time or data, or a name that is too long */
export function toStoredEvent(
  { event, route, lane, notify, dataIsBody = false }: EventRecord,
  { seal, subjects }: Pick<Vault, 'seal' | 'subjects'>,
): StoredEvent {
  const id = escapeText(event.id)
  return {
    id,
    name: short(escapeText(event.name), 'event'),
    subject: subjects.seal(escapeText(event.subject)),
    ts: finite(event.ts, 'The time of an event'),
    data: event.data === undefined || dataIsBody ? null : seal(JSON.stringify(event.data), dataContext(id)),
    dataIsBody,
    manual: event.source.manual === true,
    trace: event.trace === undefined ? null : JSON.stringify(event.trace),
    ...(event.source.replayOf !== undefined && { replayOf: escapeText(event.source.replayOf) }),
    route,
    notify,
    lane: lane === undefined ? null : toStoredLane(subjects.hashLane(lane)),
  }
}

const toStoredLane = (lane: Lane): Lane => ({ ...lane, name: short(escapeText(lane.name), 'lane') })

/** Names the data of an event; its copies have the context of the original. */
export const dataContext = (event: string): string => `data ${event}`

/** Names the answer to an attempt with an event. */
export const answerContext = (event: string): string => `response ${event}`

/** @throws TypeError for an invalid delay, or a notification with the outcome `queued` */
export function toStoredSettlement(
  work: Work,
  { id, lease, outcome }: Settlement,
  seal: Vault['seal'],
): Settlement {
  if (work === 'notify' && outcome.status === 'queued') throw new TypeError('A notification is never queued')
  const stored = escapeText(id)
  const sealed = (body: string) => seal(body, answerContext(stored))
  return { id: stored, lease, outcome: toStoredOutcome(outcome, sealed) }
}

/** @throws TypeError for an invalid delay, or the outcome `queued` */
export function toStoredLaneSettlement(
  { name, settlements, ...ending }: LaneSettlement,
  seal: Vault['seal'],
): LaneSettlement {
  if (settlements.some(({ outcome }) => outcome.status === 'queued'))
    throw new TypeError('An event of a lane is never queued')
  const stored = settlements.map((settlement) => toStoredSettlement('publish', settlement, seal))
  const afterMs = Math.ceil(finite(ending.afterMs ?? 0, 'The delay of a lane'))
  return { ...ending, name: escapeText(name), settlements: stored, afterMs }
}

export function toStoredFailure({ id, error }: ForwardFailure): ForwardFailure {
  return { id: escapeText(id), error: toStoredError(error) }
}

function toStoredOutcome(
  outcome: Settlement['outcome'],
  seal: (body: string) => string,
): Settlement['outcome'] {
  switch (outcome.status) {
    case 'retry': {
      const afterMs = Math.ceil(finite(outcome.afterMs, 'The delay of a retry'))
      const { targets } = outcome
      const error = toStoredError(outcome.error)
      return {
        status: 'retry',
        afterMs,
        error,
        ...toStoredResponse(outcome, seal),
        ...(targets && { targets }),
      }
    }
    case 'queued': {
      const redeliverAfterMs = Math.ceil(finite(outcome.redeliverAfterMs, 'The deadline of the queue'))
      return { status: 'queued', redeliverAfterMs }
    }
    case 'dead':
      return { status: 'dead', error: toStoredError(outcome.error), ...toStoredResponse(outcome, seal) }
    case 'done':
      return { status: 'done', duplicate: outcome.duplicate === true }
    case 'released':
      return {
        status: 'released',
        afterMs: Math.ceil(finite(outcome.afterMs ?? 0, 'The delay of a release')),
      }
  }
}

function toStoredResponse(
  { response }: { readonly response?: AttemptResponse },
  seal: (body: string) => string,
) {
  if (response === undefined) return {}
  const { body, ...answer } = response
  // The body is first, where a rotation of keys finds it.
  return {
    response:
      body === undefined ? answer : { body: seal(escapeText(body.slice(0, maxResponseLength))), ...answer },
  }
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
