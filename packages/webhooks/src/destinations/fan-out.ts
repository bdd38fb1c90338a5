import { destinationPrefix } from '@sallyport/internal/destination-row'
import { callHook } from '@sallyport/internal/promises'
import { hash } from '../gateway/hash.ts'
import type { Destination } from '../ports/destination.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { EventRecord, Lane } from '../ports/ports.ts'

/** A row of an inbox for events of one delivery. */
export interface FannedOut {
  readonly record: EventRecord
  /** The indexes of its events in the delivery. */
  readonly events: readonly number[]
}

/** Creates the rows of the events of a delivery. Each event has a row. */
export type FanOut = (records: readonly EventRecord[]) => readonly FannedOut[]

interface FanOutOptions {
  /** Returns the destinations as they are now. */
  readonly destinations: () => readonly Destination[]
  /** Whether the bus or a handler receives an event. */
  readonly isHandled: (event: WebhookEvent) => boolean
  /** Called when a destination does not accept an event. */
  readonly onFiltered?: ((destination: string, event: WebhookEvent) => unknown) | undefined
  /** Called when a filter throws: its destination receives the event. */
  readonly onError: (error: unknown) => unknown
}

/** Without destinations, each event has one row. */
export const oneRowEach: FanOut = (records) => records.map((record, index) => ({ record, events: [index] }))

/** Returns for each of some events whether all of its rows fulfil a condition, by the indexes of the rows. */
export const ofAllRows = (
  rows: readonly FannedOut[],
  count: number,
  isFulfilled: (row: number) => boolean,
): readonly boolean[] => {
  const fulfilled = Array.from({ length: count }, () => true)
  for (const [row, { events }] of rows.entries())
    if (!isFulfilled(row)) for (const index of events) fulfilled[index] = false
  return fulfilled
}

/** The events of a row in original mode, which has the request of the delivery instead of their data. */
export interface OriginalData {
  readonly events: readonly Omit<WebhookEvent, 'data' | 'source' | 'trace'>[]
}

/** The longest text in the name of a lane. A longer text ends with its hash. */
const maxLaneText = 256

/**
 * Creates the function that makes the rows of a delivery: one for each event of the bus, the handlers and the notifications, and
 * those of the destinations that accept its events. An event that nobody accepts has a row, so that it is stored.
 */
export function createFanOut({ destinations, isHandled, onFiltered, onError }: FanOutOptions): FanOut {
  function accepts({ name, accepts: filter }: Destination, event: WebhookEvent): boolean {
    try {
      const isAccepted = filter?.(event) ?? true
      if (!isAccepted) callHook((rejected: WebhookEvent) => onFiltered?.(name, rejected), event)
      return isAccepted
    } catch (error) {
      callHook(onError, error)
      return true
    }
  }

  return (records) => {
    const rows = destinations().flatMap((destination) => {
      const events = [...records.keys()].filter((index) => accepts(destination, eventAt(records, index)))
      return createRows(destination, records, events)
    })
    const accepted = new Set(rows.flatMap(({ events }) => events))
    const own = records.flatMap((record, index) =>
      record.notify || isHandled(record.event) || !accepted.has(index) ? [{ record, events: [index] }] : [],
    )
    return [...own, ...rows]
  }
}

const eventAt = (records: readonly EventRecord[], index: number) => (records[index] as EventRecord).event

function createRows(
  destination: Destination,
  records: readonly EventRecord[],
  accepted: readonly number[],
): readonly FannedOut[] {
  if (destination.mode === 'original') return createOriginalRow(destination, records, accepted)
  return accepted.map((index) => {
    const record = records[index] as EventRecord
    return {
      record: toRecord(destination, { ...record, event: toRow(destination, record.event) }),
      events: [index],
    }
  })
}

/** Returns the id of the row of some events in original mode, without its prefix. */
export const createOriginalId = (ids: readonly string[]): string =>
  ids.length === 1 ? String(ids[0]) : `${ids[0]}+${hash(ids.join('\n'))}`

/** A redelivery with the same events is a duplicate; one with others is a new row. */
function createOriginalRow(
  destination: Destination,
  records: readonly EventRecord[],
  accepted: readonly number[],
): readonly FannedOut[] {
  const events = accepted.map((index) => eventAt(records, index))
  const [first] = events
  if (first === undefined) return []
  const id = createOriginalId(events.map((event) => event.id))
  const data: OriginalData = {
    events: events.map(({ id: own, name, subject, ts }) => ({ id: own, name, subject, ts })),
  }
  const event = { ...toRow(destination, first, id), data }
  return [{ record: toRecord(destination, { event, route: 'direct', notify: false }), events: accepted }]
}

const toRow = ({ name }: Destination, event: WebhookEvent, id = event.id): WebhookEvent => ({
  ...event,
  id: `${destinationPrefix(name)}${id}`,
})

const toRecord = (destination: Destination, record: EventRecord): EventRecord => ({
  ...record,
  route: 'direct',
  notify: false,
  lane: toLane(destination, record.event),
})

function toLane({ name, order = 'none', concurrency = 10 }: Destination, event: WebhookEvent): Lane {
  const prefix = destinationPrefix(name)
  if (order === 'none') return { name: `${prefix}${hash(event.id) % concurrency}`, isOrdered: false }
  const { provider, endpoint = '' } = event.source
  const text = order === 'subject' ? event.subject : endpoint
  const short = text.length > maxLaneText ? `${text.slice(0, maxLaneText)}#${hash(text)}` : text
  return { name: `${prefix}${provider}/${short}`, isOrdered: true }
}
