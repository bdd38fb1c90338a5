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

  /** Does something that takes a while, and tells of it. */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#turns.progress()
    try {
      return await run()
    } finally {
      this.#turns.progress()
    }
  }

  /** Lets others go first for a while. */
  async giveWay(forMs: number): Promise<void> {
    this.#isMine = false
    await this.#turns.giveWay(forMs)
    this.#isMine = true
    if (!this.#hasEnded) return
    this.end()
    throw rolledBack('The connection was given back before the statement began')
  }

  end(): void {
    this.#hasEnded = true
    if (!this.#isMine) return
    this.#isMine = false
    this.#turns.give()
  }
}
