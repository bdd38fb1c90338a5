import { rolledBack } from './errors.ts'
import type { Turns } from './turns.ts'

/** The use of the connection by one caller; `end` may be called more than once. */
export class Turn {
  readonly #turns: Turns
  #isMine = true
  #hasEnded = false

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /**
   * Runs a step with the connection, waiting for the connection again after a `yieldFor`.
   *
   * @throws SallyportError `OVERLOADED` at the timeout, without running the step
   */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    // Kysely runs one statement at a time per connection, so nothing else acquires it again here.
    if (!this.#isMine) await this.#takeAgain(this.#turns.take())
    this.#turns.progress()
    try {
      return await run()
    } finally {
      this.#turns.progress()
    }
  }

  /** Lets other callers use the connection for a while. */
  giveWay(forMs: number): Promise<void> {
    this.#isMine = false
    return this.#takeAgain(this.#turns.giveWay(forMs))
  }

  end(): void {
    this.#hasEnded = true
    if (!this.#isMine) return
    this.#isMine = false
    this.#turns.give()
  }

  async #takeAgain(taken: Promise<void>): Promise<void> {
    await taken
    this.#isMine = true
    if (!this.#hasEnded) return
    this.end()
    throw rolledBack('The connection was given back before the statement began')
  }
}
