import { isSallyportError, SallyportError } from '@sallyport/errors'
import { setTimeout } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/** How long migrations wait until they can begin, in milliseconds. */
export interface WritePatience {
  readonly forMs: number
  /** How long others then have the connection to themselves. */
  readonly pauseMs: number
}

/** As long as those of PostgreSQL wait. */
export const writePatience: WritePatience = { forMs: 90_000, pauseMs: 100 }

/**
 * Tries again while somebody else writes, until what is run tells that it has begun.
 *
 * @throws SallyportError `DATABASE_BUSY` when that takes too long
 */
export async function againWhileBusy(
  run: (begun: () => void) => Promise<void>,
  { forMs, pauseMs }: WritePatience,
): Promise<void> {
  const deadline = performance.now() + forMs
  const state = { begun: false }
  for (;;) {
    try {
      await run(() => {
        state.begun = true
      })
      return
    } catch (error) {
      if (state.begun || !mayEnd(error)) throw error
      if (performance.now() > deadline) throw busy(error)
    }
    await setTimeout(pauseMs)
  }
}

/** Another process has the lock, or this one the connection. */
const mayEnd = (error: unknown) => isBusy(error) || (isSallyportError(error) && error.code === 'OVERLOADED')

const busy = (cause: unknown) =>
  new SallyportError(
    'DATABASE_BUSY',
    'The migrations cannot begin while somebody else writes to the database, such as a long transaction or the migrations of another process: end that, or wait for its end, and start again',
    { cause },
  )
