import { isSallyportError, SallyportError } from '@sallyport/errors'
import { setTimeout } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/** How long migrations wait for the write lock, in milliseconds. */
export interface WritePatience {
  readonly forMs: number
  /** The pause between two attempts, in which other callers use the connection. */
  readonly pauseMs: number
}

/** The same total time as on PostgreSQL. */
export const writePatience: WritePatience = { forMs: 90_000, pauseMs: 100 }

/**
 * Retries while another writer has the lock, until `run` reports that its transaction has begun.
 *
 * @throws SallyportError `DATABASE_BUSY` at the timeout
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

/** Whether another process has the lock, or another caller of this process the connection. */
const mayEnd = (error: unknown) => isBusy(error) || (isSallyportError(error) && error.code === 'OVERLOADED')

const busy = (cause: unknown) =>
  new SallyportError(
    'DATABASE_BUSY',
    'The migrations cannot begin while another writer has the database, such as a long transaction or the migrations of another process: end that writer or wait for its end, and start again',
    { cause },
  )
