import { SallyportError } from '@sallyport/errors'

/** What is under way, for a close to wait for. */
export class Operations {
  readonly #running = new Set<Promise<unknown>>()
  readonly #what: string
  #closed = false

  constructor(what: string) {
    this.#what = what
  }

  async run<Value>(operation: () => Promise<Value>): Promise<Value> {
    if (this.#closed)
      throw new SallyportError('SERVICE_UNAVAILABLE', `The ${this.#what} is closed: open another`)
    const running = operation()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Refuses what comes, and resolves when everything has ended. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
  }
}
