/** What a {@link DueHeap} keeps: its rank, and the place that the heap remembers for it. */
export interface Ranked {
  /** Smallest first; set by {@link DueHeap.push}. */
  rank: number
  /** Decides between equal ranks, smallest first. */
  readonly order: number
  /** Set by the heap; -1 while the entry is in none. An entry is in one heap at a time. */
  position: number
}

/** A binary heap whose entries know their places, so that any of them leaves in O(log n) and none goes stale. */
export class DueHeap<Entry extends Ranked> {
  readonly #entries: Entry[] = []

  get size(): number {
    return this.#entries.length
  }

  filter(matches: (entry: Entry) => boolean): Entry[] {
    return this.#entries.filter(matches)
  }

  peek(): Entry | undefined {
    return this.#entries[0]
  }

  push(entry: Entry, rank: number): void {
    entry.rank = rank
    this.#rise(entry, this.#entries.length)
  }

  remove(entry: Entry): void {
    const { position } = entry
    const last = this.#entries.pop()
    entry.position = -1
    if (last === undefined || last === entry) return
    const parent = this.#entries[(position - 1) >> 1]
    if (position > 0 && parent !== undefined && isBefore(last, parent)) this.#rise(last, position)
    else this.#sink(last, position)
  }

  #place(entry: Entry, position: number): void {
    this.#entries[position] = entry
    entry.position = position
  }

  #rise(entry: Entry, from: number): void {
    let position = from
    while (position > 0) {
      const above = (position - 1) >> 1
      const parent = this.#entries[above]
      if (parent === undefined || !isBefore(entry, parent)) break
      this.#place(parent, position)
      position = above
    }
    this.#place(entry, position)
  }

  #sink(entry: Entry, from: number): void {
    let position = from
    for (;;) {
      const left = position * 2 + 1
      let child = this.#entries[left]
      if (child === undefined) break
      let below = left
      const right = this.#entries[left + 1]
      if (right !== undefined && isBefore(right, child)) {
        child = right
        below = left + 1
      }
      if (!isBefore(child, entry)) break
      this.#place(child, position)
      position = below
    }
    this.#place(entry, position)
  }
}

function isBefore(a: Ranked, b: Ranked): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order < b.order)
}
