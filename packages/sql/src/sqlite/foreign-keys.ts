import { SallyportError } from '@sallyport/errors'
import { sql, type Kysely } from 'kysely'
import { SqliteError } from './errors.ts'

/**
 * Runs something while a connection does not enforce its foreign keys, where it does: a table that is dropped, to be
 * made anew, would have the rows that refer to it deleted. That cannot be set within a transaction.
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
 * Runs something that must not leave more rows behind than before that refer to none, where none is deleted by itself.
 *
 * @throws SqliteError `WORKER_DIED` when foreign keys are enforced after all
 * @throws SallyportError `DATABASE_INCONSISTENT`, whose message names tables alone
 */
export async function keepingReferences<Tables>(db: Kysely<Tables>, run: () => Promise<void>): Promise<void> {
  // What plugins make of names and values is for whoever set them.
  const transaction = db.withoutPlugins()
  // The thread may have died just before it began, and the next one knows nothing of what was set.
  if (await areEnforced(transaction)) throw enforcedAgain()
  const before = await danglingIn(transaction)
  await run()
  const after = await danglingIn(transaction)
  const broken = [...after].filter(([tables, count]) => count > (before.get(tables) ?? 0))
  if (broken.length === 0) return
  const names = broken.map(([tables]) => tables).join(', ')
  throw new SallyportError(
    'DATABASE_INCONSISTENT',
    `The migrations leave rows that refer to none (${names}), and were rolled back: foreign keys are not enforced while they run, so have them delete or mend these rows`,
  )
}

/** How many rows of a table refer to none of another, by the names of both. */
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
    // A key that refers to what is not unique cannot be checked, and SQLite refuses to write such rows.
    if ((error as { code?: unknown }).code === 'SQLITE_ERROR') return { rows: [] }
    throw error
  }
}

async function areEnforced<Tables>(db: Kysely<Tables>): Promise<boolean> {
  // How a dialect writes a parameter tells SQLite from PostgreSQL, which has no pragmas.
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
