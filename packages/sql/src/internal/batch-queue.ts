import type { MaybePromise } from '@sallyport/webhooks'
import { commitLimits, maxBatchBytes, type CommitLimits } from './commit-limits.ts'
import { overloaded } from './errors.ts'

export interface BatchQueueOptions<Item> extends CommitLimits {
  /** The maximum number of concurrent batches. */
  readonly concurrency: number
  /** Delays the next batch after a batch of several items, by this time from its start, unless that batch was large enough. */
  readonly gather?: { readonly milliseconds: number; readonly isEnough: (items: readonly Item[]) => boolean }
}

/** Above this size, an item costs the same: a second batch is prepared in parallel, and each batch holds fewer locks. */
export const maxBatchItems = 100

// A batch that takes longer waits for a lock or a slow disk: the next batch then starts without it.
const slowBatchMs = 50

interface Entry<Item, Result> {
  readonly item: Item
  readonly bytes: number
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Group commit: items that arrive during a batch form the next batch.
 *
 * The cost of a batch hardly grows with a few more items, so a second batch starts only when it is full or the first one
 * is slow. A single item never waits.
 */
export class BatchQueue<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>
  readonly #concurrency: number
  readonly #gather: BatchQueueOptions<Item>['gather']
  readonly #limits: Required<CommitLimits>
  #ready: Entry<Item, Result>[] = []
  #readyBytes = 0
  /** The batch that the next items wait for. */
  #latest: readonly Entry<Item, Result>[] | undefined
  #waiting = 0
  #waitingBytes = 0
  #running = 0

  /**
   * @param commit returns a result for each item, in order
   * @throws TypeError for an invalid limit
   */
  constructor(
    commit: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
    { concurrency, gather, ...limits }: BatchQueueOptions<Item>,
  ) {
    this.#commit = commit
    this.#concurrency = concurrency
    this.#gather = gather
    this.#limits = commitLimits(limits)
  }

  /**
   * Resolves when the item is committed. The item counts as waiting during its preparation.
   *
   * Rejects with `OVERLOADED` when too many items wait.
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
      this.#readyBytes += bytes
      // Items of the same turn of the event loop share a batch.
      if (this.#ready.length === 1 || this.#isBatchFull())
        setImmediate(() => {
          this.#begin()
        })
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

  #isBatchFull(): boolean {
    return this.#ready.length >= maxBatchItems || this.#readyBytes >= maxBatchBytes
  }

  #begin(): void {
    while (
      this.#ready.length > 0 &&
      this.#running < this.#concurrency &&
      (this.#latest === undefined || this.#isBatchFull())
    )
      void this.#run(this.#takeBatch())
  }

  async #run(entries: readonly Entry<Item, Result>[]): Promise<void> {
    this.#running++
    this.#latest = entries
    const startNext = () => {
      if (this.#latest === entries) this.#latest = undefined
      this.#begin()
    }
    const timer = setTimeout(startNext, slowBatchMs)
    const gathered = this.#gathering(entries)
    await this.#deliver(entries)
    this.#running--
    await gathered
    clearTimeout(timer)
    startNext()
  }

  #gathering(entries: readonly Entry<Item, Result>[]): Promise<void> | undefined {
    if (this.#gather === undefined || entries.length === 1) return undefined
    const { milliseconds, isEnough } = this.#gather
    return isEnough(entries.map(({ item }) => item)) ? undefined : sleep(milliseconds)
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
    this.#readyBytes -= bytes
    if (count < this.#ready.length) return this.#ready.splice(0, count)
    const all = this.#ready
    this.#ready = []
    return all
  }
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
