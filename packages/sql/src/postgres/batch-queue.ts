import type { MaybePromise } from '@sallyport/webhooks'
import { maxBatchBytes, maxBatchItems, type CommitLimits } from '../commit-limits.ts'
import { overloaded } from '../refusals.ts'

export interface BatchQueueOptions extends CommitLimits {
  /** Batches that are under way at once. */
  readonly concurrency: number
}

interface Entry<Item, Result> {
  readonly item: Item
  readonly bytes: number
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/** Group commit: while batches are under way, what is asked for gathers, and goes as one batch after them. */
export class BatchQueue<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>
  readonly #concurrency: number
  readonly #limits: Required<CommitLimits>
  #ready: Entry<Item, Result>[] = []
  #waiting = 0
  #waitingBytes = 0
  #running = 0

  /** @param commit answers for each item in its order */
  constructor(
    commit: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
    { concurrency, waiting = 10_000, waitingBytes = 64 * 1024 * 1024 }: BatchQueueOptions,
  ) {
    this.#commit = commit
    this.#concurrency = concurrency
    this.#limits = { waiting, waitingBytes }
  }

  /**
   * Resolves once the item is committed. It has its place among what waits from the beginning, while it is prepared.
   *
   * Rejects with `OVERLOADED` when too much waits already.
   */
  async add(bytes: number, prepare: () => MaybePromise<Item>): Promise<Result> {
    if (this.#isFull(bytes)) throw overloaded()
    this.#waiting++
    this.#waitingBytes += bytes
    let item: Item
    try {
      item = await prepare()
    } catch (error) {
      this.#leave(bytes)
      throw error
    }
    return new Promise((resolve, reject) => {
      this.#ready.push({ item, bytes, resolve, reject })
      // What this turn of the event loop brings shares a batch.
      if (this.#ready.length === 1) setImmediate(() => void this.#work())
    })
  }

  #isFull(bytes: number): boolean {
    if (this.#waiting === 0) return false
    return this.#waiting >= this.#limits.waiting || this.#waitingBytes + bytes > this.#limits.waitingBytes
  }

  #leave(bytes: number): void {
    this.#waiting--
    this.#waitingBytes -= bytes
  }

  async #work(): Promise<void> {
    if (this.#running >= this.#concurrency) return
    this.#running++
    while (this.#ready.length > 0) {
      const entries = this.#takeBatch()
      // What is left may go beside this batch.
      if (this.#ready.length > 0) setImmediate(() => void this.#work())
      await this.#deliver(entries)
    }
    this.#running--
  }

  async #deliver(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(entries.map(({ item }) => item))
      for (const [index, { resolve, reject }] of entries.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
  }

  #takeBatch(): Entry<Item, Result>[] {
    let count = 0
    let bytes = 0
    for (const entry of this.#ready) {
      if (count === maxBatchItems || (count > 0 && bytes + entry.bytes > maxBatchBytes)) break
      count++
      bytes += entry.bytes
      this.#leave(entry.bytes)
    }
    if (count < this.#ready.length) return this.#ready.splice(0, count)
    const all = this.#ready
    this.#ready = []
    return all
  }
}
