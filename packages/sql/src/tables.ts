import type { Generated } from 'kysely'

/**
 * What a database of the kit holds, for queries of your own. A type, as `$extendTables` wants it, not an interface.
 *
 * Times are in milliseconds since the epoch. `headers`, `data` and `trace` are JSON text. In the texts that come from
 * outside (ids, names, subjects) a backslash, NUL and lone surrogates are escaped as `\\` and `\uXXXX`.
 */
export type InboxTables = {
  deliveries: DeliveriesTable
  delivery_bodies: DeliveryBodiesTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  notifications: NotificationsTable
  failures: FailuresTable
  sequences: SequencesTable
  bus_events: BusEventsTable
  queued_events: QueuedEventsTable
}

/** Verified deliveries that held something new. */
export interface DeliveriesTable {
  sequence: Generated<number>
  id: string
  provider: string
  received_at: number
  headers: string
  /** The length of the body when it came. */
  body_bytes: number
  /** Why it has no events: nothing could be made of it, or nothing is left. */
  eventless: 'quarantined' | 'resolved' | null
  /** Why nothing could be made of it. */
  quarantine_reason: string | null
  /** When body, headers and data were erased. */
  erased_at: number | null
}

/** Raw bodies, in a table of their own, so that they can go before their deliveries do. */
export interface DeliveryBodiesTable {
  delivery: number
  encoding: 'identity' | 'zstd'
  /** The length of `body`. */
  bytes: number
  body: Uint8Array
}

/** The index finds events of a delivery by its `provider`, by `status`, by its `received_at` and by `delivery`. */
export interface EventsTable {
  sequence: Generated<number>
  delivery: number
  id: string
  provider: string
  received_at: number
  name: string
  subject: string
  ts: number
  data: string | null
  /** 1 when the data was erased. */
  erased: Generated<number>
  /** 1 when the delivery was a manual test. */
  manual: number
  /** The trace context of its delivery, as JSON. */
  trace: string | null
  route: 'direct' | 'queue'
  status: 'pending' | 'queued' | 'published' | 'dead'
  attempts: number
  since: number
  due_at: number
  lease: string | null
  lease_ends_at: number | null
  /** Of the first publication, if it was published again. */
  published_at: number | null
  /** The place in the order of publication; never given twice. */
  published_sequence: number | null
  /** The event that it is a copy of, under an id of its own. */
  replay_of: number | null
  /** 1 when the bus knew the id at the last publication, and stored nothing. */
  duplicate: number | null
}

/** The keys that were recorded. They outlive what they stand for: there is no foreign key. */
export interface IdempotencyKeysTable {
  scope: 'event' | 'quarantine'
  key: string
  event: number | null
  /** The delivery of a quarantine. */
  delivery: number | null
  created_at: number
}

/** One for each event that asked for it. */
export interface NotificationsTable {
  event: number
  provider: string
  status: 'waiting' | 'pending' | 'sent' | 'dead'
  attempts: number
  since: number
  due_at: number
  lease: string | null
  lease_ends_at: number | null
}

/** The newest failed attempts of each work, numbered from 1. */
export interface FailuresTable {
  event: number
  work: 'publish' | 'notify'
  number: number
  at: number
  error: string
}

/** Counters that are never set back, whatever is pruned. */
export interface SequencesTable {
  name: 'published'
  value: number
}

/** The embedded bus: append-only. */
export interface BusEventsTable {
  sequence: Generated<number>
  id: string
  event: string
  published_at: number
}

/** The shared queue: what is done with has gone. */
export interface QueuedEventsTable {
  sequence: Generated<number>
  id: string
  event: string
  /** How often it was received. */
  attempts: number
  since: number
  due_at: number
  lease: string | null
  lease_ends_at: number | null
}
