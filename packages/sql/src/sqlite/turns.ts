import { setTimeout as sleep } from 'node:timers/promises'
import { SqliteError } from './errors.ts'
import { overloaded } from './overloaded.ts'

export interface TurnLimits {
  /** How long others wait while whoever has it makes no progress, in milliseconds. */
  readonly patienceMs: number
  readonly maxWaiting: number
}

/**
 * Lets one at a time have something, in the order in which they asked.
 *
 * Who waits gives up behind somebody that does nothing, such as a transaction that waits for a query outside of it; not
 * behind many others, nor behind one that is long at work.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #waiting = new Set<() => void>()
  #away = 0
  #taken = false
  #progressAt = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** @throws SallyportError `OVERLOADED` when too many wait, or whoever has it does nothing for too long */
  async take(): Promise<void> {
    if (this.#taken && this.#waiting.size + this.#away >= this.#limits.maxWaiting)
      throw exhausted('Too many wait for the connection')
    await this.#takeInTurn()
  }

  /** Tells that whoever has it does something. */
  progress(): void {
    this.#progressAt = performance.now()
  }

  /** Lets the next one begin. */
  give(): void {
    this.progress()
    const [begin] = this.#waiting
    if (begin === undefined) {
      this.#taken = false
      return
    }
    this.#waiting.delete(begin)
    begin()
  }

  /**
   * Lets others have it for a while, and takes it again behind those that wait then.
   *
   * @throws SallyportError `OVERLOADED` when whoever has it then does nothing for too long
   */
  async giveWay(forMs: number): Promise<void> {
    this.give()
    this.#away += 1
    await sleep(forMs)
    this.#away -= 1
    await this.#takeInTurn()
  }

  #takeInTurn(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true
      return Promise.resolve()
    }
    const { patienceMs } = this.#limits
    const since = performance.now()
    return new Promise((resolve, reject) => {
      const lookAgain = (): void => {
        const leftMs = Math.max(since, this.#progressAt) + patienceMs - performance.now()
        if (leftMs > 0) {
          timer = setTimeout(lookAgain, leftMs)
          return
        }
        this.#waiting.delete(begin)
        reject(exhausted('Whoever has the connection does nothing, or one statement for too long'))
      }
      const begin = (): void => {
        clearTimeout(timer)
        resolve()
      }
      let timer = setTimeout(lookAgain, patienceMs)
      this.#waiting.add(begin)
    })
  }
}

const exhausted = (message: string) => overloaded(new SqliteError({ code: 'POOL_EXHAUSTED', message }))
