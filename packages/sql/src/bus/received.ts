import type { WebhookEvent } from '@sallyport/webhooks'
import { decodeEvent, type DeferredFailure, type ReceivedMessage } from '@sallyport/webhooks/consumer'
import type { Vault } from '../encryption/vault.ts'
import { openEvent, readEvent, withData } from '../internal/event-json.ts'
import type { BusDeadLettersTable } from '../internal/tables.ts'
import type { Deferred, Lease } from './progress.ts'
import { hashLane } from './waiting.ts'

/** A row of an event. One that has waited has a lane. */
export interface ReceivedRow {
  readonly sequence: number
  readonly id: string
  readonly event: string
  readonly data_body: Uint8Array | null
  readonly lane?: string
  readonly failures?: number
}

interface Settling {
  /** Adds a change of an event that the process has received, and resolves when it is stored. */
  readonly change: (sequence: number, add: () => void) => Promise<void>
  /** Stores a dead letter. */
  readonly bury: (letter: Omit<BusDeadLettersTable, 'consumer' | 'dead_at'>) => Promise<void>
  readonly isLost: () => boolean
  readonly vault: Vault
}

interface BusMessage extends ReceivedMessage {
  readonly isBehind: () => boolean
  /** Defers an event that the consumer does not receive. */
  readonly pass: () => void
}

/** Converts a row to a message whose changes go to the lease. */
export function toReceived(
  held: Lease,
  { sequence, id, event, data_body, ...waited }: ReceivedRow,
  { change, bury, isLost, vault }: Settling,
): BusMessage {
  const row = { id, event, data_body }
  /** Set while the event has a row among those that wait. */
  let ownLane = waited.lane
  let decoded: WebhookEvent | undefined
  const decode = () =>
    (decoded ??= decodeEvent(data_body === null ? JSON.parse(openEvent(row, vault)) : readEvent(row, vault)))
  const end = (isDone: boolean) =>
    change(sequence, () => {
      if (ownLane !== undefined) held.changes.ended.push({ sequence, lane: ownLane, isDone })
    })
  const wait = (how: Pick<Deferred, 'failure' | 'isHeld'> = {}) => {
    const lane = ownLane ?? hashLane(decode)
    held.lanes.add(lane)
    if (how.failure) held.failed.add(lane)
    held.changes.deferred.push({ sequence, lane, ...how })
    return lane
  }
  return {
    decode,
    deliveries: 0,
    failures: waited.failures ?? 0,
    ack(isHandled: boolean) {
      if (isHandled) held.failed.clear()
      return end(true)
    },
    async deadLetter(reason: string) {
      await bury({ sequence, id, reason, event: withData(row, vault) })
      await end(false)
    },
    // The event stays before the position or among those that wait, for the next process.
    release: () => Promise.resolve(),
    isLost,
    // Events that have waited are received in the order of their lane.
    isBehind: () => ownLane === undefined && held.lanes.size > 0 && held.lanes.has(hashLane(decode)),
    defer: (failure?: DeferredFailure) =>
      change(sequence, () => {
        wait({ failure })
      }),
    async hold() {
      if (ownLane !== undefined) return
      await change(sequence, () => {
        ownLane = wait({ isHeld: true })
      })
    },
    /** Defers an event that the consumer does not receive. */
    pass() {
      held.changes.passed.push(sequence)
      wait()
    },
  }
}
