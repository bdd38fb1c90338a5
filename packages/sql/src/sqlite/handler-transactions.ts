import type { Kysely, Transaction } from 'kysely'
import type { RunInTransaction } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { isTooLong, transactionTooLong } from './errors.ts'

/** Transactions that reach their limit one after the other before their handler pauses, and its pause in milliseconds. */
const pauseAfter = 3
const pauseMs = 10_000

/**
 * Creates the transactions of one handler. They have the only write lock, for which the gateway waits, so each of them has a
 * limit. A handler that reaches it again and again pauses, so that it does not have the lock most of the time.
 */
export function createHandlerTransactions(
  kysely: Kysely<InboxTables>,
  limitMs: number,
): RunInTransaction<Transaction<InboxTables>> {
  let tooLong = 0
  let pausedUntil = 0
  const pauseLeftMs = () => Math.ceil(pausedUntil - performance.now())
  const checkPause = () => {
    const retryAfterMs = pauseLeftMs()
    if (retryAfterMs > 0) throw Object.assign(transactionTooLong(limitMs), { retryAfterMs })
  }

  return async (work) => {
    checkPause()
    try {
      await kysely.transaction().execute(async (transaction) => {
        // Another attempt may have begun the pause meanwhile.
        checkPause()
        await withLimit(limitMs, work(transaction))
      })
      tooLong = 0
    } catch (error) {
      if (isTooLong(error) && pauseLeftMs() <= 0 && ++tooLong >= pauseAfter)
        pausedUntil = performance.now() + pauseMs
      throw error
    }
  }
}

/** Rejects at the limit, so that a step that never ends gives its connection back. */
async function withLimit(limitMs: number, running: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    limit.reject(transactionTooLong(limitMs))
  }, limitMs)
  try {
    await Promise.race([running, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
