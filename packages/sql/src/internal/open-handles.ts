import type { CompleteInbox } from '@sallyport/webhooks'
import type { EmbeddedBus } from '../bus/bus.ts'
import { createOperationTracker, type OperationTracker } from '@sallyport/internal/operation-tracker'
import { inboxUnavailable } from './errors.ts'

type Call = (...values: readonly unknown[]) => Promise<unknown>

/** Tracks the open inboxes and buses of a database, so that `close` can finish their calls and reject new ones. */
export class OpenHandles {
  /** Database operations. A running call may start more of them while new calls are already rejected. */
  readonly operations: OperationTracker = createOperationTracker(() =>
    inboxUnavailable(new Error('The database is closed')),
  )
  readonly #busy = new Set<CompleteInbox>()
  #closed = false

  /** Tracks an inbox during its calls only: an unused one needs no close. */
  track(one: CompleteInbox): CompleteInbox {
    let running = 0
    const watched =
      (call: Call) =>
      async (...values: readonly unknown[]) => {
        // A closed inbox rejects the call.
        if (this.#closed) void one.close()
        running++
        this.#busy.add(one)
        try {
          return await call(...values)
        } finally {
          running--
          if (running === 0) this.#busy.delete(one)
        }
      }
    const members = Object.entries(one).map(([name, member]: [string, unknown]) => {
      if (typeof member !== 'function' || name === 'close') return [name, member] as const
      return [name, watched(member as Call)] as const
    })
    return Object.fromEntries(members) as unknown as CompleteInbox
  }

  /** Tracks the reads of a bus, which has no close; the writers track its writes. */
  trackBus(bus: EmbeddedBus): EmbeddedBus {
    return {
      ...bus,
      read: (query) => this.operations.run(() => bus.read(query)),
      prune: (options) => this.operations.run(() => bus.prune(options)),
    }
  }

  /** Resolves when all earlier calls have settled. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#busy, (one) => one.close()))
    await this.operations.close()
  }
}
