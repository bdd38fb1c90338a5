/** What is under way, so that closing can wait for it and let nothing more in. */
export class Operations {
  readonly #refusal: () => Error
  readonly #running = new Set<Promise<unknown>>()
  #closed = false

  /** @param refusal what becomes of whatever comes after the end */
  constructor(refusal: () => Error) {
    this.#refusal = refusal
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.#refusal()
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Resolves when everything that came before has ended, in whatever way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
  }
}
