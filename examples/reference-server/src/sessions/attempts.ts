import { SallyportError } from '@sallyport/errors'
import { requireWithin, type RateLimit, type Standing } from '../http/rate-limit.ts'

/** Attempts to log in, of which so many may fail. */
export interface Attempts {
  /**
   * Runs an attempt at an account, and counts it when it was not valid; one that throws has not failed.
   *
   * No more run at the same time than may still fail, so that many at once do not get more guesses than one by one.
   *
   * @throws SallyportError 429 `RATE_LIMITED` after too many failures; 503 `OVERLOADED` with `Retry-After` while too
   * many run
   */
  readonly run: <Verdict extends { readonly valid: boolean }>(
    account: string,
    attempt: () => Promise<Verdict>,
    /** Told where the account stands, before the attempt and after one that failed. */
    show?: (standing: Standing) => void,
  ) => Promise<Verdict>
}

export function createAttempts(failures: RateLimit): Attempts {
  const running = new Map<string, number>()
  return {
    async run(account, attempt, show) {
      const others = running.get(account) ?? 0
      // Before the look: what ends in between is then seen as running or as failed, never as neither.
      running.set(account, others + 1)
      try {
        const standing = await failures.look(account)
        show?.(standing)
        requireWithin(standing)
        if (others >= standing.remaining) throw tooManyAtOnce()
        const verdict = await attempt()
        if (!verdict.valid) {
          const after = await failures.count(account)
          show?.(after)
        }
        return verdict
      } finally {
        const left = (running.get(account) ?? 1) - 1
        if (left === 0) running.delete(account)
        else running.set(account, left)
      }
    },
  }
}

function tooManyAtOnce(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many logins of this account at the same time; try again', {
    headers: { 'Retry-After': '1' },
  })
}
