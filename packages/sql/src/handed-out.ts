import type { Inbox, Queue } from '@sallyport/webhooks'
import type { EmbeddedBus } from './bus.ts'
import { Operations } from './operations.ts'
import { inboxUnavailable } from './refusals.ts'

/** What a database has handed out, so that closing it can wait for all of that and let nothing more in. */
export class HandedOut {
  /** What they do in parts: those of a call that is under way are let in while others are refused already. */
  readonly operations: Operations = new Operations(() =>
    inboxUnavailable(new Error('The database is closed')),
  )
  readonly #open = new Set<Inbox | Queue>()
  #closed = false

  /** Keeps it until whoever has it closes it. */
  keep<One extends Inbox | Queue>(one: One): One {
    if (this.#closed) void one.close()
    else this.#open.add(one)
    return { ...one, close: () => one.close().finally(() => this.#open.delete(one)) }
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
    await Promise.all(Array.from(this.#open, (one) => one.close()))
    await this.operations.close()
  }
}
