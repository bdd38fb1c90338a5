import type { Generated, GeneratedAlways } from 'kysely'
import type { AlertTables } from '../alerts/tables.ts'
import type { AuditTables } from '../audit/tables.ts'
import type { DestinationTables } from '../destinations/tables.ts'
import type { EndpointTables } from '../endpoints/tables.ts'
import type { IdempotencyTables } from '../idempotency/tables.ts'
import type { ProcessTables } from '../processes/tables.ts'
import type { ReconciliationTables } from '../reconciliations/tables.ts'
import type { SubscriptionTables } from '../subscriptions/tables.ts'
import type { TrafficTables } from '../traffic/tables.ts'
import type { UnprocessedTables } from '../unprocessed/tables.ts'

/**
 * The tables of the package, for your own queries. A type, because `$extendTables` accepts no interface.
 *
 * Times are in milliseconds since the epoch. `headers`, `data` and `trace` are JSON text. In external texts (ids, names,
 * subjects), a backslash, NUL and lone surrogates are escaped as `\\` and `\uXXXX`. With encryption, `headers`, `query`, `data`,
 * `event`, `data_body` and bodies are sealed: texts start with `\e`.
 */
export type InboxTables = {
  deliveries: DeliveriesTable
  delivery_bodies: DeliveryBodiesTable
  body_objects: BodyObjectsTable
  unused_objects: UnusedObjectsTable
  delivery_values: DeliveryValuesTable
  events: EventsTable
  lanes: LanesTable
  idempotency_keys: IdempotencyKeysTable
  notifications: NotificationsTable
  notification_batches: NotificationBatchesTable
  failures: FailuresTable
  sequences: SequencesTable
  bus_events: BusEventsTable
  bus_consumers: BusConsumersTable
  bus_settled: BusSettledTable
  bus_waiting: BusWaitingTable
  bus_dead_letters: BusDeadLettersTable
  queued_events: QueuedEventsTable
  queue_consumers: QueueConsumersTable
  replay_jobs: ReplayJobsTable
  encryption_keys: EncryptionKeysTable
} & DestinationTables &
  EndpointTables &
  SubscriptionTables &
  TrafficTables &
  UnprocessedTables &
  AlertTables &
  ProcessTables &
  AuditTables &
  ReconciliationTables &
  IdempotencyTables

/** The keys of the database itself, which the keys of the process wrap. */
interface EncryptionKeysTable {
  name: 'search'
  key: string
}

/** Verified deliveries that contained at least one new event. */
interface DeliveriesTable {
  sequence: Generated<number>
  id: string
  provider: string
  /** Null for the address without an endpoint. */
  endpoint: string | null
  received_at: number
  headers: string
  /** The query of the request without `?`; null for no query. */
  query: string | null
  /** The length of the received body. */
  body_bytes: number
  /** Why the delivery has no events: it is in quarantine, or all of them are handled. */
  eventless: 'quarantined' | 'resolved' | null
  /** Why the delivery is in quarantine. */
  quarantine_reason: string | null
  /** The code at the start of `quarantine_reason`; keeps its value after the quarantine. */
  quarantine_code: string | null
  /** When body, headers, query and data were erased. */
  erased_at: number | null
}

/** Raw bodies, in a separate table because they are pruned earlier than deliveries. */
interface DeliveryBodiesTable {
  delivery: number
  /** `sealed` for an encrypted body, which is compressed or not; `object` for a reference to an object. */
  encoding: 'identity' | 'zstd' | 'sealed' | 'object'
  /** The length of `body`. */
  bytes: number
  body: Uint8Array
  /** The reference; null for a body in the database. */
  object: GeneratedAlways<Uint8Array | null>
}

/** The objects of large bodies in the store. A row is written before its object, and deleted before it. */
interface BodyObjectsTable {
  /** In `delivery_bodies` and in `data_body`, in the place of the body. */
  reference: Uint8Array
  /** The id of its delivery. */
  delivery: string
  /** As in `delivery_bodies`; never `object`. */
  encoding: DeliveryBodiesTable['encoding']
  /** The length of the object. */
  bytes: number
  sha256: Uint8Array
  /** The start of a sealed body, with its wrapped key. The object has the rest. */
  head: Uint8Array | null
  /** When the collector checks whether a row refers to the object; null until such a row is deleted. */
  check_at: number | null
}

/** Objects that no row refers to, until they are deleted from the store. */
interface UnusedObjectsTable {
  reference: Uint8Array
}

/** An index of the values that find a delivery: ids of the service, the request id, and values at search paths. */
interface DeliveryValuesTable {
  /** Groups deliveries: their sequence divided by 512. */
  bucket: number
  /** The first 64 bits of the SHA-256 of the value. */
  hash: bigint
  delivery: number
}

/** An index finds the events of a delivery by `provider`, `status`, `received_at` and `delivery`. */
interface EventsTable {
  sequence: Generated<number>
  delivery: number
  id: string
  provider: string
  /** The endpoint of its delivery. */
  endpoint: string | null
  received_at: number
  name: string
  subject: string
  ts: number
  /** Null for an event without data, and for data in `data_body`. */
  data: string | null
  /** The body of the delivery, or its reference, as in `delivery_bodies`, where the data is exactly its JSON. */
  data_body: Uint8Array | null
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
  /** The time of the first publication. */
  published_at: number | null
  /** The position in the order of publication; never reused. */
  published_sequence: number | null
  /** The id of the original event, for an event to which a replay gave a new id. */
  replay_of: string | null
  /** 1 when the bus already had the id at the last publication. */
  duplicate: number | null
  /** The error of the last failed attempt to publish the event; a later success or replay keeps the error. */
  last_error: string | null
  /** The lane that handles the event. */
  lane: Generated<string | null>
  /** The place in its lane: `sequence` in an ordered lane, otherwise `due_at`. */
  lane_place: Generated<number | null>
  /** The destinations that the event waits for since its last failed attempt, as a JSON array in order. */
  awaited_targets: string | null
  /** `sent` once the event is published, unless a row of `notifications` or a batch has another state; null without a notification. */
  notification: 'waiting' | 'sent' | null
  /** The destination of the row, from its id; null for the bus and the handlers. */
  destination: GeneratedAlways<string | null>
}

/** The lanes that have pending events or are paused. A row without either is left for the next claim, which deletes it. */
interface LanesTable {
  name: string
  /** 1 for an ordered lane. */
  ordered: number
  /** Grows with every change of the lane or its pending events: a snapshot with the same version has all of them. */
  version: Generated<number>
  /** When its first pending event is due, or later: a lane that was served waits behind the others. */
  due_at: number
  /** Those of its first pending event. */
  since: number
  attempts: number
  lease: string | null
  /** Without a lease: until when the lane waits for its destination, or stays free for an operator. */
  lease_ends_at: number | null
  paused_at: number | null
  /** Set while an operator waits for the end of the lease: until when the lane stays free then. */
  reserved_until: number | null
}

/** The recorded keys. A key outlives its event or delivery and therefore has no foreign key. */
interface IdempotencyKeysTable {
  /** `handled:` and the name of a consumer for the events that its `once` has recorded. */
  scope: 'event' | 'quarantine' | `handled:${string}`
  key: string
  event: number | null
  /** The delivery of a quarantine. */
  delivery: number | null
  created_at: number
}

/** The notifications that no batch has, until they are sent: those that failed, and those that no process holds. */
interface NotificationsTable {
  event: number
  provider: string
  status: 'pending' | 'sent' | 'dead'
  attempts: number
  since: number
  due_at: number
  lease: string | null
  lease_ends_at: number | null
}

/** The notifications of events that were published together, under the lease of the process that sends them. */
interface NotificationBatchesTable {
  lease: string
  lease_ends_at: number
  since: number
  /** The positions of its first and last event in the order of publication. */
  first: number
  last: number
  /** The events between them that have a notification. */
  events: number
}

/** The latest failed attempts of each work item, numbered from 1. */
interface FailuresTable {
  event: number
  work: 'publish' | 'notify'
  number: number
  at: number
  error: string
  /** The answer of a destination, as JSON. */
  response: Generated<string | null>
}

/** Counters that never decrease, also after pruning. */
interface SequencesTable {
  name: 'published'
  value: number
}

/** The events of the embedded bus; append-only. */
export interface BusEventsTable {
  sequence: Generated<number>
  id: string
  /** The event as JSON; without its data if `data_body` is set. */
  event: string
  published_at: number
  /** The data as in `events.data_body`. */
  data_body: Generated<Uint8Array | null>
}

/** The consumers of the embedded bus. */
interface BusConsumersTable {
  name: string
  /** The events up to this sequence are settled. */
  position: Generated<number>
  lease: string | null
  lease_ends_at: number | null
}

/** Events after the position of their consumer that are settled or wait. */
interface BusSettledTable {
  consumer: string
  sequence: number
}

/** Events that wait for a retry, or for an earlier event of their subject. A consumer goes on to the events after them. */
export interface BusWaitingTable {
  consumer: string
  sequence: number
  /** A hash of the subject, or of the id of an event without a subject. Indexes limit the length of a text. */
  lane: string
  /** The failed attempts, and the error of the last one. */
  failures: number
  error: string | null
  /** When the next attempt is due; null for an event that waits for an earlier one of its lane. */
  due_at: number | null
}

/** Events that a consumer could not handle. */
export interface BusDeadLettersTable {
  consumer: string
  sequence: number
  id: string
  /** The event as JSON, as in `bus_events`. */
  event: string
  reason: string
  dead_at: number
}

/** The events of the shared queue; settled events are deleted. */
interface QueuedEventsTable {
  sequence: Generated<number>
  /** When the event was first due, `@`, and the id of the event. */
  id: string
  /** The event as JSON. */
  event: string
}

/** The consumers of the shared queue. */
interface QueueConsumersTable {
  name: string
  lease: string | null
  lease_ends_at: number | null
}

/** Replays of many deliveries, which the server runs. */
export interface ReplayJobsTable {
  id: string
  status: 'running' | 'done' | 'canceled' | 'failed'
  /** JSON. */
  filter: string
  as_new: 0 | 1
  reprocess: 0 | 1
  /** The number of matching deliveries at the creation. */
  total: number
  /** The counts and the position, as JSON. */
  progress: string
  error: string | null
  created_by: string | null
  created_at: number
  updated_at: number
  finished_at: number | null
  lease: string | null
  lease_ends_at: number | null
}
