import { rolledBack } from './errors.ts'
import type { Turns } from './turns.ts'

/** Somebody's turn, which has been taken: it ends once, however often that is said. */
export class Turn {
  readonly #turns: Turns
  #isMine = true
  #hasEnded = false

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /**
   * Does something that takes a while, and tells of it; once others have gone first, when it has its turn again.
   *
   * @throws SallyportError `OVERLOADED` when it does not get it, and nothing is done
   */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    // Kysely has one statement at a time on a connection, so that nobody else is taking it again.
    if (!this.#isMine) await this.#takeAgain(this.#turns.take())
    this.#turns.progress()
    try {
      return await run()
    } finally {
      this.#turns.progress()
    }
  }

  /** Lets others go first for a while. */
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
