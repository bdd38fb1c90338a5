import { SallyportError } from '@sallyport/errors'
import { requireWithin, type RateLimit, type Standing } from '../http/rate-limit.ts'

/** Attempts to log in, of which so many may fail. */
export interface Attempts {
  /**
   * Runs an attempt at an account, and counts it when it was not valid; one that throws has not failed.
   *
   * No more run at the same time than may still fail, so that many at once do not get more guesses than one by one; the
   * others wait for their turn.
   *
   * @throws SallyportError 429 `RATE_LIMITED` after too many failures; 503 `OVERLOADED` with `Retry-After` while too
   * many wait
   */
  readonly run: <Verdict extends { readonly valid: boolean }>(
    account: string,
    attempt: () => Promise<Verdict>,
    /** Told where the account stands, before the attempt and after one that failed. */
    show?: (standing: Standing) => void,
  ) => Promise<Verdict>
}

/** Attempts at one account. */
interface Account {
  /** Those that run or wait. */
  present: number
  running: number
  readonly waiting: (() => void)[]
}

const maxWaiting = 100

export function createAttempts(failures: RateLimit): Attempts {
  const accounts = new Map<string, Account>()

  /** Runs an attempt; undefined when as many others run as may still fail. */
  async function runNow<Verdict extends { readonly valid: boolean }>(
    name: string,
    account: Account,
    attempt: () => Promise<Verdict>,
    show: ((standing: Standing) => void) | undefined,
  ): Promise<Verdict | undefined> {
    // Before the look: what ends in between is then seen as running or as failed, never as neither.
    const others = account.running++
    try {
      const standing = await failures.look(name)
      show?.(standing)
      requireWithin(standing)
      if (others >= standing.remaining) return undefined
      const verdict = await attempt()
      if (!verdict.valid) {
        const after = await failures.count(name)
        show?.(after)
      }
      return verdict
    } finally {
      account.running--
    }
  }

  async function runInTurn<Verdict extends { readonly valid: boolean }>(
    name: string,
    account: Account,
    attempt: () => Promise<Verdict>,
    show: ((standing: Standing) => void) | undefined,
  ): Promise<Verdict> {
    for (;;) {
      const verdict = await runNow(name, account, attempt, show)
      if (verdict !== undefined) return verdict
      // Those that were in the way may have ended since the look, and then nobody is left to call.
      if (account.running === 0) continue
      if (account.waiting.length >= maxWaiting) throw tooManyAtOnce()
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    }
  }

  return {
    async run(name, attempt, show) {
      const account = accounts.get(name) ?? { present: 0, running: 0, waiting: [] }
      accounts.set(name, account)
      account.present++
      try {
        return await runInTurn(name, account, attempt, show)
      } finally {
        account.present--
        account.waiting.shift()?.()
        if (account.present === 0) accounts.delete(name)
      }
    },
  }
}

function tooManyAtOnce(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many logins of this account at the same time; try again', {
    headers: { 'Retry-After': '1' },
  })
}
