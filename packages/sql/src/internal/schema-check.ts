import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { databaseTooNew, findUnknown } from '../migrations/understood.ts'
import type { InboxTables } from './tables.ts'

/** Stops the work of a process whose database was migrated by a newer version. */
export interface SchemaCheck {
  /**
   * Rejects in a transaction, or outside, if a migration has run that this version does not understand.
   *
   * @throws SallyportError `DATABASE_TOO_NEW`
   */
  check(db: Kysely<InboxTables>): Promise<void>
  /**
   * Runs a claim, and rejects its rows if this version may not understand them. The check follows the claim: a newer version
   * writes rows after its migration, so that a claim of such a row precedes no check that succeeds.
   *
   * @throws SallyportError `DATABASE_TOO_NEW`
   */
  claim<Row>(claim: () => Promise<readonly Row[]>): Promise<readonly Row[]>
}

/**
 * @param reads short queries
 * @param known the migrations of this version
 */
export function createSchemaCheck(
  reads: Kysely<InboxTables>,
  known: Readonly<Record<string, Migration>>,
): SchemaCheck {
  let isStopped = false

  async function check(db: Kysely<InboxTables>): Promise<void> {
    const { rows } = await sql<{ name: string }>`select name from sallyport_migrations`.execute(db)
    const unknown = findUnknown(
      rows.map(({ name }) => name),
      known,
    )
    isStopped = unknown.length > 0
    if (isStopped) throw databaseTooNew(unknown)
  }

  return {
    check,
    async claim(claim) {
      // The newer version could not claim what this process leases.
      if (isStopped) await check(reads)
      const rows = await claim()
      if (rows.length > 0) await check(reads)
      return rows
    },
  }
}
