import type { Inbox, Queue } from '@sallyport/webhooks'
import type { EmbeddedBus } from './bus.ts'
import { Operations } from './operations.ts'
import { inboxUnavailable } from './refusals.ts'

type Call = (...values: readonly unknown[]) => Promise<unknown>

/** What a database has handed out, so that closing it can wait for all of that and let nothing more in. */
export class HandedOut {
  /** What they do in parts: those of a call that is under way are let in while others are refused already. */
  readonly operations: Operations = new Operations(() =>
    inboxUnavailable(new Error('The database is closed')),
  )
  readonly #busy = new Set<Inbox | Queue>()
  #closed = false

  /** Knows it only while it does something: one that is dropped need not be closed. */
  keep<One extends Inbox | Queue>(one: One): One {
    let running = 0
    const watched =
      (call: Call) =>
      async (...values: readonly unknown[]) => {
        // Closed, it refuses by itself.
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
    return Object.fromEntries(members) as unknown as One
  }

  /** Has the reads of a bus, which nobody closes, waited for: its writes are by those who do them. */
  watch(bus: EmbeddedBus): EmbeddedBus {
    return {
      ...bus,
      read: (query) => this.operations.run(() => bus.read(query)),
      prune: (options) => this.operations.run(() => bus.prune(options)),
    }
  }

  /** Resolves when everything that came before has ended, in whatever way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#busy, (one) => one.close()))
    await this.operations.close()
  }
}
