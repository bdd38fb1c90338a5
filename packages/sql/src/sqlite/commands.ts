import type { ForwardFailure, Route, Work } from '@sallyport/webhooks'
import type { Removal, Removed } from '../deliveries/prune.ts'
import type { ClaimedRow, ClaimLimits, ErasureOutcome, ReplayedRow, ReplayRequest } from '../inbox/inbox.ts'
import type { StoredDelivery, StoredEvent } from '../inbox/stored.ts'
import type { EventJson } from '../internal/event-json.ts'
import type { QueueEnding, ReceivedRow } from '../queue/queue.ts'
import type { RecordFields, SettlementFields } from './fields.ts'

// The messages between the two threads of a group commit: plain data that is cheap to clone.

export interface RecordCommand extends StoredDelivery {
  readonly kind: 'record'
  readonly at: number
  readonly body: Uint8Array
  readonly lease: { readonly token: string; readonly endsAt: number } | undefined
}

export interface ClaimCommand extends ClaimLimits {
  readonly kind: 'claim'
  readonly at: number
  readonly work: Work
  readonly lease: { readonly token: string; readonly endsAt: number }
}

export interface SettleCommand {
  readonly kind: 'settle'
  readonly at: number
  readonly work: Work
  readonly settlements: SettlementFields
}

export interface PublishCommand {
  readonly kind: 'publish'
  readonly at: number
  readonly events: readonly EventJson[]
}

export interface EnqueueCommand {
  readonly kind: 'enqueue'
  readonly at: number
  readonly events: readonly EventJson[]
}

export interface ReceiveCommand extends ClaimLimits {
  readonly kind: 'receive'
  readonly at: number
  readonly lease: { readonly token: string; readonly endsAt: number }
}

export interface EndQueuedCommand {
  readonly kind: 'end-queued'
  readonly at: number
  readonly ending: QueueEnding
}

export interface ForwardCommand {
  readonly kind: 'forward'
  readonly at: number
  readonly ids: readonly string[]
  readonly duplicates: readonly string[]
}

export interface FailQueuedCommand {
  readonly kind: 'fail-queued'
  readonly at: number
  readonly failures: readonly ForwardFailure[]
  readonly isFinal: boolean
}

export interface ResolveCommand {
  readonly kind: 'resolve'
  readonly at: number
  readonly id: string
  readonly events: readonly StoredEvent[]
  readonly lease: RecordCommand['lease']
}

export interface ReplayCommand extends ReplayRequest {
  readonly kind: 'replay'
  readonly at: number
}

export interface MakeDueCommand {
  readonly kind: 'make-due'
  readonly at: number
  readonly limit: number
  readonly route: Route | undefined
}

export interface EraseCommand {
  readonly kind: 'erase'
  readonly at: number
  readonly id: string
}

export interface PruneCommand {
  readonly kind: 'prune'
  readonly removal: Removal
}

/** Checks that the database can be locked for writing. */
interface PingCommand {
  readonly kind: 'ping'
}

export type Command =
  | RecordCommand
  | ClaimCommand
  | SettleCommand
  | PublishCommand
  | EnqueueCommand
  | ReceiveCommand
  | EndQueuedCommand
  | ForwardCommand
  | FailQueuedCommand
  | ResolveCommand
  | ReplayCommand
  | MakeDueCommand
  | EraseCommand
  | PruneCommand
  | PingCommand

/** The result of each command. */
export interface CommandResults {
  /** Whether each key was known: the keys of the events, or the key of the quarantined delivery. */
  record: readonly boolean[]
  claim: readonly ClaimedRow[]
  settle: readonly boolean[]
  /** The sequence of each event, null for a known id. */
  publish: readonly (number | null)[]
  /** Whether each is new to the queue. */
  enqueue: readonly boolean[]
  receive: readonly ReceivedRow[]
  'end-queued': boolean
  forward: readonly boolean[]
  'fail-queued': readonly boolean[]
  resolve: readonly boolean[] | null
  replay: readonly ReplayedRow[]
  /** How many events were made due. */
  'make-due': number
  erase: ErasureOutcome
  prune: Removed
  ping: null
}

export interface Batch {
  /** In order; a record is only marked here, its fields are in `records`. */
  readonly commands: readonly (Exclude<Command, RecordCommand> | 'record')[]
  readonly records: RecordFields
  /** The concatenated bodies of the records. */
  readonly bodies: ArrayBuffer
}
