import { requireQuota, type MemoryRateLimit, type RateLimitResult } from '@sallyport/rest'
import { createOverloadedError } from './overloaded.ts'

/** Login attempts with a limited number of failures. */
export interface Attempts {
  /**
   * Runs an attempt for an account and counts a wrong password as a failure; an exception does not count.
   * At most as many attempts run at the same time as failures remain, so that concurrent attempts get no additional guesses.
   * The others wait.
   *
   * @throws SallyportError 429 `RATE_LIMITED` after too many failures; 503 `OVERLOADED` with `Retry-After` while too
   * many wait
   */
  readonly run: <Verdict extends { readonly valid: boolean }>(
    account: string,
    attempt: () => Promise<Verdict>,
    /** Called with the state of the account before the attempt and after a failure. */
    show?: (state: RateLimitResult) => void,
  ) => Promise<Verdict>
}

/** The attempts for one account. */
interface Account {
  /** Running and waiting attempts. */
  present: number
  running: number
  readonly waiting: (() => void)[]
}

const maxWaiting = 100

export function createAttempts(failures: MemoryRateLimit): Attempts {
  const accounts = new Map<string, Account>()

  return {
    async run(name, attempt, show) {
      const account = accounts.get(name) ?? { present: 0, running: 0, waiting: [] }
      accounts.set(name, account)

      /** Runs the attempt; undefined when as many others run as failures remain. */
      async function runNow() {
        // Incremented before the quota is read, so that an attempt that ends in between counts as running or as failed.
        const others = account.running++
        try {
          const state = failures.look(name)
          show?.(state)
          requireQuota(state)
          if (others >= state.remaining) return undefined
          const verdict = await attempt()
          if (!verdict.valid) {
            const after = failures.count(name)
            show?.(after)
          }
          return verdict
        } finally {
          account.running--
        }
      }

      account.present++
      try {
        for (;;) {
          const verdict = await runNow()
          if (verdict !== undefined) return verdict
          // The other attempts may have ended since the quota was read: no attempt would wake this one.
          if (account.running === 0) continue
          if (account.waiting.length >= maxWaiting)
            throw createOverloadedError('Too many logins of this account at the same time; try again')
          await new Promise<void>((resolve) => account.waiting.push(resolve))
        }
      } finally {
        account.present--
        account.waiting.shift()?.()
        if (account.present === 0) accounts.delete(name)
      }
    },
  }
}
