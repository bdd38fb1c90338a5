import { integerOption } from '@sallyport/internal/options'
import { inboxUnavailable } from '../gateway/refusals.ts'
import { DueHeap } from './due-heap.ts'
import type { Item } from './inbox-item.ts'

/** The idempotency keys that are remembered, so many at most. */
export class KeyTable {
  readonly events = new Map<string, Item>()
  // A namespace of their own: the bytes of a quarantined delivery may become events once its normalizer is mended.
  readonly quarantines = new Map<string, Item>()
  readonly #forgettable = new DueHeap<Item>()
  readonly #capacity: number
  readonly #onForget: (item: Item) => void
  #ended = 0
  #endedKeys = 0

  constructor(capacity: number, onForget: (item: Item) => void) {
    this.#capacity = integerOption('keys', capacity, 1)
    this.#onForget = onForget
  }

  /**
   * Forgets what ended first, until so many new keys fit in.
   *
   * @param kept items that are needed, and make no room: they count as begun from then on
   * @throws SallyportError `INBOX_UNAVAILABLE` when unfinished work leaves too little; then nothing is forgotten
   */
  makeRoom(wanted: number, kept: readonly Item[] = []): void {
    const free = this.#capacity - this.#size
    const needed = kept
      .filter((item) => this.#isEnded(item))
      .reduce((total, item) => total + keyCount(item), 0)
    if (wanted > free + this.#endedKeys - needed) throw inboxUnavailable(new Error('The inbox is full'))
    for (const item of kept) this.begin(item)
    while (this.#size + wanted > this.#capacity) {
      const item = this.#forgettable.peek()
      if (item === undefined) return
      this.forget(item)
    }
  }

  /** What has ended makes room for what comes. */
  end(item: Item): void {
    this.#forgettable.push(item, this.#ended++)
    this.#endedKeys += keyCount(item)
  }

  begin(item: Item): void {
    if (!this.#isEnded(item)) return
    this.#forgettable.remove(item)
    this.#endedKeys -= keyCount(item)
  }

  /** Those of events, each once, though it stands under what it was called before as well. */
  *items(): Generator<Item> {
    for (const [key, item] of this.events) if (key === item.key) yield item
  }

  forget(item: Item): void {
    this.begin(item)
    if (this.quarantines.get(item.key) === item) this.quarantines.delete(item.key)
    else for (const key of [item.key, ...item.formerKeys]) this.events.delete(key)
    this.#onForget(item)
  }

  get #size(): number {
    return this.events.size + this.quarantines.size
  }

  #isEnded({ stage, position }: Item): boolean {
    return (stage === 'dead' || stage === 'settled') && position >= 0
  }
}

/** How many keys one item stands under. */
export const keyCount = ({ formerKeys }: Item): number => 1 + formerKeys.length
