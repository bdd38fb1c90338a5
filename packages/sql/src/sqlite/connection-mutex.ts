import { setTimeout as sleep } from 'node:timers/promises'
import { rolledBack, SqliteError } from './errors.ts'
import { overloaded } from './busy.ts'

/** The use of the connection by one caller; `end` may be called more than once. */
export class ConnectionLock {
  readonly #mutex: ConnectionMutex
  #isHeld = true
  #isReleased = false

  constructor(mutex: ConnectionMutex) {
    this.#mutex = mutex
  }

  /**
   * Runs a step with the connection, waiting for the connection again after a `yieldFor`.
   *
   * @throws SallyportError `OVERLOADED` at the timeout, without running the step
   */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    // Kysely runs one statement at a time per connection, so nothing else acquires it again here.
    if (!this.#isHeld) await this.#reacquire(this.#mutex.acquire())
    this.#mutex.progress()
    try {
      return await run()
    } finally {
      this.#mutex.progress()
    }
  }

  /** Lets other callers use the connection for a while. */
  yieldFor(forMs: number): Promise<void> {
    this.#isHeld = false
    return this.#reacquire(this.#mutex.yieldFor(forMs))
  }

  end(): void {
    this.#isReleased = true
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#mutex.release()
  }

  async #reacquire(acquired: Promise<void>): Promise<void> {
    await acquired
    this.#isHeld = true
    if (!this.#isReleased) return
    this.end()
    throw rolledBack('The connection was given back before the statement began')
  }
}

export interface MutexOptions {
  /** How long callers wait while the connection makes no progress, in milliseconds. */
  readonly timeoutMs: number
  readonly maxWaiting: number
}

/**
 * A mutex in the order of arrival.
 *
 * A waiting caller times out only while the owner makes no progress, such as a transaction that waits for a query outside
 * of it. A long queue or a long statement causes no timeout.
 */
export class ConnectionMutex {
  readonly #limits: MutexOptions
  readonly #waiting = new Set<() => void>()
  #yielding = 0
  #isLocked = false
  #progressAt = 0

  constructor(limits: MutexOptions) {
    this.#limits = limits
  }

  /** @throws SallyportError `OVERLOADED` when too many callers wait, or the owner makes no progress until the timeout */
  async acquire(): Promise<void> {
    if (this.#isLocked && this.#waiting.size + this.#yielding >= this.#limits.maxWaiting)
      throw exhausted('Too many callers wait for the connection')
    await this.#wait()
  }

  /** Restarts the timeouts of waiting callers. */
  progress(): void {
    this.#progressAt = performance.now()
  }

  /** Passes the connection to the next caller. */
  release(): void {
    this.progress()
    const [begin] = this.#waiting
    if (begin === undefined) {
      this.#isLocked = false
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
  async yieldFor(forMs: number): Promise<void> {
    this.release()
    this.#yielding += 1
    await sleep(forMs)
    this.#yielding -= 1
    await this.#wait()
  }

  #wait(): Promise<void> {
    if (!this.#isLocked) {
      this.#isLocked = true
      return Promise.resolve()
    }
    const { timeoutMs } = this.#limits
    const since = performance.now()
    return new Promise((resolve, reject) => {
      const checkTimeout = (): void => {
        const leftMs = Math.max(since, this.#progressAt) + timeoutMs - performance.now()
        if (leftMs > 0) {
          timer = setTimeout(checkTimeout, leftMs)
          return
        }
        this.#waiting.delete(begin)
        reject(exhausted('The user of the connection made no progress until the timeout'))
      }
      const begin = (): void => {
        clearTimeout(timer)
        resolve()
      }
      let timer = setTimeout(checkTimeout, timeoutMs)
      this.#waiting.add(begin)
    })
  }
}

const exhausted = (message: string) => overloaded(new SqliteError({ code: 'POOL_EXHAUSTED', message }))
