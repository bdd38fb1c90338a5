import type { Message } from '../ports/event.ts'

/** An alert that is firing, or whose end a target has yet to receive. */
export interface AlertState {
  /** Unique for each time that the condition occurs. */
  readonly id: string
  /** The name of the {@link AlertSource}. */
  readonly source: string
  /** The name of the {@link Finding}. */
  readonly name: string
  readonly status: 'firing' | 'resolved'
  readonly severity: Message['severity']
  readonly title: string
  readonly text: string
  /** The highest level that was sent. */
  readonly level: number
  /** When the alert began to fire, in milliseconds since the epoch. */
  readonly since: number
  /** When the message of this state was created: the first one, a reminder, or the end. */
  readonly changedAt: number
  /** The names of the targets that have yet to receive the message. */
  readonly unsent: readonly string[]
}

/** Stores the alerts of all processes. One process at a time holds the lease, and evaluates and sends the alerts. */
export interface AlertStore {
  /** Takes or extends the lease for `leaseMs` milliseconds. Returns undefined while another holder has it. */
  readonly claim: (holder: string, leaseMs: number) => Promise<readonly AlertState[] | undefined>
  /** Replaces all states. Returns false if the holder has lost the lease. */
  readonly save: (holder: string, states: readonly AlertState[]) => Promise<boolean>
  /** Ends the lease of the holder. */
  readonly release: (holder: string) => Promise<void>
}

/**
 * Creates a store in memory, for a single process. A restart sends the alerts that still fire again.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemoryAlertStore(now: () => number = Date.now): AlertStore {
  let lease: { readonly holder: string; readonly endsAt: number } | undefined
  let states: readonly AlertState[] = []
  return {
    claim(holder, leaseMs) {
      if (lease !== undefined && lease.holder !== holder && lease.endsAt > now())
        return Promise.resolve(undefined)
      lease = { holder, endsAt: now() + leaseMs }
      return Promise.resolve(states)
    },
    save(holder, next) {
      if (lease?.holder !== holder) return Promise.resolve(false)
      states = next
      return Promise.resolve(true)
    },
    release(holder) {
      if (lease?.holder === holder) lease = undefined
      return Promise.resolve()
    },
  }
}
