import { SallyportError } from '@sallyport/errors'
import { sql, type Kysely } from 'kysely'
import { SqliteError } from './errors.ts'

/**
 * Runs a step with foreign keys off, where they are enforced: dropping a table to recreate it would delete the rows
 * that refer to it. SQLite cannot change the setting within a transaction.
 */
export async function withoutForeignKeys<Tables>(
  db: Kysely<Tables>,
  run: (enforced: boolean) => Promise<void>,
): Promise<void> {
  const connection = db.withoutPlugins()
  if (!(await areEnforced(connection))) {
    await run(false)
    return
  }
  await sql`pragma foreign_keys = off`.execute(connection)
  try {
    await run(true)
  } finally {
    await sql`pragma foreign_keys = on`.execute(connection)
  }
}

/**
 * Runs a step that must not add rows with missing references.
 *
 * @throws SqliteError `WORKER_DIED` when foreign keys are enforced unexpectedly
 * @throws SallyportError `DATABASE_INCONSISTENT`, whose message names tables alone
 */
export async function keepingReferences<Tables>(db: Kysely<Tables>, run: () => Promise<void>): Promise<void> {
  // The queries below need the plain names and values of SQLite.
  const transaction = db.withoutPlugins()
  // A new worker thread has the default setting again.
  if (await areEnforced(transaction)) throw enforcedAgain()
  const before = await danglingIn(transaction)
  await run()
  const after = await danglingIn(transaction)
  const broken = [...after].filter(([tables, count]) => count > (before.get(tables) ?? 0))
  if (broken.length === 0) return
  const names = broken.map(([tables]) => tables).join(', ')
  throw new SallyportError(
    'DATABASE_INCONSISTENT',
    `The migrations leave rows that refer to missing rows (${names}), and were rolled back: foreign keys are not enforced during migrations, so delete or repair these rows in the migration`,
  )
}

/** Counts the rows of each table that refer to missing rows, by the names of both tables. */
async function danglingIn<Tables>(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' order by name`.execute(db)
  const found = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await checked(db, name)
    for (const { parent, count } of rows) found.set(`${name} → ${parent}`, count)
  }
  return found
}

async function checked<Tables>(
  db: Kysely<Tables>,
  table: string,
): Promise<{ readonly rows: readonly { readonly parent: string; readonly count: number }[] }> {
  try {
    return await sql<{ parent: string; count: number }>`
      select parent, count(*) as count from pragma_foreign_key_check(${table}) group by 1 order by 1`.execute(
      db,
    )
  } catch (error) {
    // A key that refers to a non-unique column cannot be checked, and SQLite rejects writes of such rows.
    if ((error as { code?: unknown }).code === 'SQLITE_ERROR') return { rows: [] }
    throw error
  }
}

async function areEnforced<Tables>(db: Kysely<Tables>): Promise<boolean> {
  // The syntax of a parameter identifies SQLite.
  if (sql`${1}`.compile(db).sql !== '?') return false
  const { rows } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(db)
  return rows[0]?.foreign_keys === 1
}

const enforcedAgain = () =>
  new SqliteError({
    code: 'WORKER_DIED',
    message:
      'Foreign keys are enforced again, as if the connection had been replaced: nothing has changed, migrate again',
  })
