import { setTimeout as sleep } from 'node:timers/promises'
import { SqliteError } from './errors.ts'
import { overloaded } from './overloaded.ts'

export interface TurnLimits {
  /** How long callers wait while the connection makes no progress, in milliseconds. */
  readonly patienceMs: number
  readonly maxWaiting: number
}

/**
 * A mutex in the order of arrival.
 *
 * A waiting caller times out only while the owner makes no progress, such as a transaction that waits for a query outside
 * of it. A long queue or a long statement causes no timeout.
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

  /** @throws SallyportError `OVERLOADED` when too many callers wait, or the owner makes no progress until the timeout */
  async take(): Promise<void> {
    if (this.#taken && this.#waiting.size + this.#away >= this.#limits.maxWaiting)
      throw exhausted('Too many callers wait for the connection')
    await this.#takeInTurn()
  }

  /** Restarts the timeouts of waiting callers. */
  progress(): void {
    this.#progressAt = performance.now()
  }

  /** Passes the connection to the next caller. */
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
   * Releases the connection for a while, then acquires it again after the callers that wait.
   *
   * @throws SallyportError `OVERLOADED` when the owner makes no progress until the timeout
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
        reject(exhausted('The user of the connection made no progress until the timeout'))
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
