interface Node<Entry> {
  readonly entry: Entry
  readonly at: number
  readonly order: number
}

/** Heaps below this length are not compacted. */
const minCompaction = 64

/**
 * A priority queue of entries by their due times. A deleted entry leaves a node in the binary heap, which is removed when
 * it comes first or when such nodes are the majority.
 */
export class Schedule<Entry> {
  #heap: Node<Entry>[] = []
  readonly #nodes = new Map<Entry, Node<Entry>>()

  entries(): Entry[] {
    return [...this.#nodes.keys()]
  }

  /**
   * Adds an entry, or moves it.
   *
   * @param order decides between entries that are due at the same time; unique
   */
  set(entry: Entry, at: number, order: number): void {
    const node = { entry, at, order }
    this.#nodes.set(entry, node)
    const heap = this.#heap
    let position = heap.push(node) - 1
    while (position > 0) {
      const parent = (position - 1) >> 1
      if (!this.#swapIfBefore(position, parent)) break
      position = parent
    }
    if (heap.length > minCompaction && heap.length > 2 * this.#nodes.size)
      this.#heap = [...this.#nodes.values()].sort(compare)
  }

  delete(entry: Entry): void {
    this.#nodes.delete(entry)
  }

  /** Returns the entry that is due first. */
  peek(): Omit<Node<Entry>, 'order'> | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#nodes.get(first.entry) === first) return first
      this.#removeFirst()
    }
    return undefined
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    for (let position = 0; ;) {
      const left = 2 * position + 1
      const [a, b] = [heap[left], heap[left + 1]]
      const child = a && b && compare(b, a) < 0 ? left + 1 : left
      if (!this.#swapIfBefore(child, position)) return
      position = child
    }
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const [a, b] = [this.#heap[child], this.#heap[parent]]
    if (a === undefined || b === undefined || compare(a, b) > 0) return false
    this.#heap[child] = b
    this.#heap[parent] = a
    return true
  }
}

const compare = (a: Node<unknown>, b: Node<unknown>): number => a.at - b.at || a.order - b.order
