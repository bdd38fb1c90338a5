import { SallyportError } from '@sallyport/errors'
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { setTimeout } from 'node:timers/promises'

type Migrations = Readonly<Record<string, Migration>>

/** How migrations wait for tables that others are using. */
export interface LockPatience {
  /** The longest wait for one lock, in milliseconds: everybody else who needs the table waits behind it. */
  readonly lockTimeoutMs: number
  /** How long others then have the tables to themselves, in milliseconds. */
  readonly pauseMs: number
  readonly attempts: number
}

/** A minute and a half for each lock. */
export const lockPatience: LockPatience = { lockTimeoutMs: 2000, pauseMs: 1000, attempts: 30 }

/**
 * Migrations that fail when they wait too long for a lock. The lock under which migrations take turns is taken before
 * them, and is waited for as long as it takes.
 */
export function impatient(migrations: Migrations, { lockTimeoutMs }: LockPatience): Migrations {
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
 * Runs what is rolled back as a whole when a lock is not to be had, again and again.
 *
 * @throws SallyportError `DATABASE_BUSY` when none of the attempts had all of its locks
 */
export async function againWhileLocked(
  run: () => Promise<void>,
  { attempts, pauseMs }: LockPatience,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run()
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
      if (attempt >= attempts) throw busy(error)
    }
    await setTimeout(pauseMs)
  }
}

const lockNotAvailable = '55P03'

const busy = (cause: unknown) =>
  new SallyportError(
    'DATABASE_BUSY',
    'The migrations need a table that somebody else keeps in use, such as a backup or a long transaction: end that, or wait for its end, and start again',
    { cause },
  )
