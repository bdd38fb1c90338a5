import { rolledBack } from './errors.ts'
import type { Turns } from './turns.ts'

/** Somebody's turn, which has been taken: it ends once, however often that is said. */
export class Turn {
  readonly #turns: Turns
  #isMine = true
  #hasEnded = false
  /** While it is to be taken again. */
  #taking: Promise<void> | undefined

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /**
   * Does something that takes a while, and tells of it; once others have gone first, when it has its turn again.
   *
   * @throws SallyportError `OVERLOADED` when it does not get it, and nothing is done
   */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    if (!this.#isMine) await (this.#taking ?? this.#takeAgain(this.#turns.take()))
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

  #takeAgain(taken: Promise<void>): Promise<void> {
    this.#taking = taken
      .then(() => {
        this.#isMine = true
        if (!this.#hasEnded) return
        this.end()
        throw rolledBack('The connection was given back before the statement began')
      })
      .finally(() => {
        this.#taking = undefined
      })
    return this.#taking
  }
}
