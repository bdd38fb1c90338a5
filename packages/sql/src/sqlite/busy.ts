import { isSallyportError, SallyportError } from '@sallyport/errors'
import { setTimeout } from 'node:timers/promises'
import { isBusy, type SqliteError } from './errors.ts'

// The pauses of SQLite's own busy handler, which would block its thread and all other callers.
const pausesMs = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
const longestPauseMs = 100

/**
 * Retries a statement while another connection has the lock that it needs.
 *
 * @param withLock runs an attempt when the connection is free
 * @param pause waits between two attempts
 * @throws SallyportError `OVERLOADED` after `forMs`, not counting the time in which `withLock` waited or `pause` took longer
 */
export async function retryWhileLocked<Result>(
  run: () => Promise<Result>,
  forMs: number,
  withLock: (run: () => Promise<Result>) => Promise<Result>,
  pause: (forMs: number) => Promise<unknown>,
): Promise<Result> {
  let leftMs = forMs
  const timed = async (): Promise<Result> => {
    const began = performance.now()
    try {
      return await run()
    } finally {
      leftMs -= performance.now() - began
    }
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await withLock(timed)
    } catch (error) {
      if (!isBusy(error)) throw error
      if (leftMs <= 0) throw overloaded(error as SqliteError)
    }
    const pauseMs = Math.min(pausesMs[attempt] ?? longestPauseMs, leftMs)
    leftMs -= pauseMs
    await pause(pauseMs)
  }
}

/** How long migrations wait for the write lock. */
export interface WriteLockTimeout {
  readonly timeoutMs: number
  /** The pause between two attempts, in milliseconds, in which other callers use the connection. */
  readonly pauseMs: number
}

/** The same total time as on PostgreSQL. */
export const writeLockTimeout: WriteLockTimeout = { timeoutMs: 90_000, pauseMs: 100 }

/**
 * Retries while another writer has the lock, until `run` reports that its transaction has begun.
 *
 * @throws SallyportError `DATABASE_BUSY` at the timeout
 */
export async function retryWhileBusy(
  run: (begun: () => void) => Promise<void>,
  { timeoutMs, pauseMs }: WriteLockTimeout,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const state = { begun: false }
  for (;;) {
    try {
      await run(() => {
        state.begun = true
      })
      return
    } catch (error) {
      if (state.begun || !isRetryable(error)) throw error
      if (performance.now() > deadline) throw busy(error)
    }
    await setTimeout(pauseMs)
  }
}

/** Whether another process has the lock, or another caller of this process the connection. */
const isRetryable = (error: unknown) =>
  isBusy(error) || (isSallyportError(error) && error.code === 'OVERLOADED')

const busy = (cause: unknown) =>
  new SallyportError(
    'DATABASE_BUSY',
    'The migrations cannot begin while another writer has the database, such as a long transaction or the migrations of another process: end that writer or wait for its end, and start again',
    { cause },
  )

/** The error of a statement that did not run and can be retried. */
export const overloaded = (cause: SqliteError): SallyportError =>
  new SallyportError('OVERLOADED', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** The error of a statement that needs a repair by an operator. */
export const unavailable = (cause: unknown): SallyportError =>
  new SallyportError('SERVICE_UNAVAILABLE', 'The database cannot be used now; try again later', {
    headers: { 'Retry-After': '5' },
    cause,
  })
