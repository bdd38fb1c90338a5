import { DueHeap } from './due-heap.ts'
import type { Duty } from './inbox-item.ts'

/** Work by the time that it is due, of each provider by itself, so that all of them have their turns. */
export class DueWork {
  readonly #heaps = new Map<string, DueHeap<Duty>>()
  #lastServed = ''

  push(duty: Duty, dueAt: number): void {
    let heap = this.#heaps.get(duty.provider)
    if (heap === undefined) this.#heaps.set(duty.provider, (heap = new DueHeap()))
    heap.push(duty, dueAt)
  }

  remove(duty: Duty): void {
    const heap = this.#heaps.get(duty.provider)
    heap?.remove(duty)
    if (heap?.size === 0) this.#heaps.delete(duty.provider)
  }

  /** The work that matches, in no order. */
  filter(matches: (duty: Duty) => boolean): Duty[] {
    return [...this.#heaps.values()].flatMap((heap) => heap.filter(matches))
  }

  /**
   * Takes out what is due, one of each provider in turn until one does not fit, and gives it in the order in which it was
   * due.
   */
  take(limit: number, at: number, fits: (duty: Duty, isFirst: boolean) => boolean): Duty[] {
    const taken: Duty[] = []
    let isFull = limit === 0
    let providers = this.#inTurn()
    while (!isFull && providers.length > 0) {
      providers = providers.filter((provider) => {
        if (isFull) return false
        const duty = this.#heaps.get(provider)?.peek()
        if (duty === undefined || duty.rank > at) return false
        isFull = !fits(duty, taken.length === 0)
        if (isFull) return false
        this.remove(duty)
        taken.push(duty)
        this.#lastServed = provider
        isFull = taken.length === limit
        return true
      })
    }
    return taken.sort((a, b) => a.rank - b.rank || a.order - b.order)
  }

  /** The provider behind the one that was served last comes first. */
  #inTurn(): string[] {
    const providers = [...this.#heaps.keys()].sort()
    const next = providers.findIndex((provider) => provider > this.#lastServed)
    return next > 0 ? [...providers.slice(next), ...providers.slice(0, next)] : providers
  }
}
