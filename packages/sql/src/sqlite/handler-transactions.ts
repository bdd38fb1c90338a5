import { postponedMs } from '@sallyport/internal/postponed'
import type { Kysely, Transaction } from 'kysely'
import type { RunInTransaction } from '../internal/prepare.ts'
import type { InboxTables } from '../internal/tables.ts'
import { isTooLong, transactionTooLong } from './errors.ts'

/** An event that reached the limit, or a handler, has the lock for at most this share of the time. */
const mostShare = 0.005
/** The longest pause, in milliseconds. */
const longestPauseMs = 60_000
/** Transactions of a handler that reach the limit during one pause, before the handler pauses. */
const pauseAfter = 3

/**
 * Creates the transactions of one handler. They have the only write lock, for which the gateway waits, so each of them has a
 * limit. An event that reaches it waits, and so does a handler whose events reach it again and again.
 */
export function createHandlerTransactions(
  kysely: Kysely<InboxTables>,
  limitMs: number,
): RunInTransaction<Transaction<InboxTables>> {
  const pauseMs = Math.min(longestPauseMs, limitMs / mostShare)
  let tooLong = 0
  let countedSince = -Infinity
  let pausedUntil = 0

  function checkPause(): void {
    const leftMs = Math.ceil(pausedUntil - performance.now())
    if (leftMs > 0)
      throw Object.assign(transactionTooLong(limitMs), { [postponedMs]: leftMs, retryAfterMs: leftMs })
  }

  function countTooLong(): void {
    const now = performance.now()
    if (now - countedSince > pauseMs) {
      countedSince = now
      tooLong = 0
    }
    if (++tooLong >= pauseAfter) pausedUntil = now + pauseMs
  }

  return async (work) => {
    checkPause()
    try {
      await kysely.transaction().execute(async (transaction) => {
        // Another attempt may have begun the pause.
        checkPause()
        await withLimit(limitMs, work(transaction))
      })
    } catch (error) {
      if (!isTooLong(error) || postponedMs in (error as object)) throw error
      countTooLong()
      // Longer than a pause, so that other events of the handler have their turn first.
      throw Object.assign(error as Error, { retryAfterMs: 2 * pauseMs })
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
