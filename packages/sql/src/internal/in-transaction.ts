import type { IsolationLevel, Kysely } from 'kysely'

/** Runs work in the transaction of the caller, or in a new one. */
export function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  run: (transaction: Kysely<Tables>) => Promise<Result>,
  isolation?: IsolationLevel,
): Promise<Result> {
  if (db.isTransaction) return run(db)
  const transaction = db.transaction()
  return (isolation === undefined ? transaction : transaction.setIsolationLevel(isolation)).execute(run)
}
