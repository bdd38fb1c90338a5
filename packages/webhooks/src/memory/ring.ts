/** The newest `capacity` values, numbered from 1 in the order that they came in. */
export class Ring<Value> {
  readonly #values: Value[] = []
  readonly #capacity: number
  #last = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The number of the newest value, 0 before there is one. */
  get last(): number {
    return this.#last
  }

  /** The number of the oldest value that is still kept. */
  get first(): number {
    return this.#last - this.#values.length + 1
  }

  /** Adds a value and gives back the one that had to make room. */
  push(value: Value): Value | undefined {
    const slot = this.#last++ % this.#capacity
    const forgotten = this.#values[slot]
    this.#values[slot] = value
    return forgotten
  }

  /** The kept values behind a number, oldest first. */
  *after(number: number): Generator<Value> {
    for (let next = Math.max(number + 1, this.first); next <= this.#last; next++) {
      yield this.#values[(next - 1) % this.#capacity] as Value
    }
  }
}
