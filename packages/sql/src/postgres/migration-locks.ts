import { SallyportError } from '@sallyport/errors'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { setTimeout } from 'node:timers/promises'

type Migrations = Readonly<Record<string, Migration>>

/** How migrations wait for tables that are in use. */
export interface LockRetries {
  /** The longest wait for one lock, in milliseconds; later statements on the table wait as long. */
  readonly lockTimeoutMs: number
  /** The pause between two attempts, in milliseconds, in which other statements run. */
  readonly pauseMs: number
  readonly attempts: number
}

/** 90 seconds in total. */
export const lockRetries: LockRetries = { lockTimeoutMs: 2000, pauseMs: 1000, attempts: 30 }

/**
 * Adds a lock timeout to migrations. The lock that serializes migrations is taken before and has no timeout.
 */
export function withLockTimeout(migrations: Migrations, { lockTimeoutMs }: LockRetries): Migrations {
  const entries = Object.entries(migrations).map(([name, migration]) => {
    const up = async (db: Kysely<unknown>): Promise<void> => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
      await migration.up(db)
    }
    return [name, { ...migration, up }] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Retries a transaction that failed because of a lock timeout, or a deadlock with a statement of another process.
 *
 * @throws SallyportError `DATABASE_BUSY` when every attempt failed
 */
export async function retryWhileLocked(
  run: () => Promise<void>,
  { attempts, pauseMs }: LockRetries,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run()
      return
    } catch (error) {
      if (!isLocked.has((error as { code?: unknown }).code)) throw error
      if (attempt >= attempts) throw busy(error)
    }
    await setTimeout(pauseMs)
  }
}

const isLocked = new Set<unknown>(['55P03', '40P01'])

const busy = (cause: unknown) =>
  new SallyportError(
    'DATABASE_BUSY',
    'The migrations need a table that another transaction keeps in use, such as a backup: end that transaction or wait for its end, and start again',
    { cause },
  )
