import { SallyportError } from '@sallyport/errors'
import { createKeyedMutex } from '@sallyport/internal/keyed-mutex'
import type { ListQuery } from '@sallyport/rest'
import type { Kysely } from 'kysely'
import { uuidV7 } from '@sallyport/internal/uuid-v7'
import {
  createContentionError,
  retryOnContention,
  VersionConflict,
  type ContentionOptions,
} from './contention.ts'
import { createRowFinder, type Columns, createRowLister, type RowListerOptions } from './row-queries.ts'
import type { StoredRow } from './stored-row.ts'
import { rejectDanglingReference } from './violations.ts'

/** The columns of a row that the repository does not maintain. */
type Own<Row extends StoredRow> = Omit<Row, keyof StoredRow>

/** Required values of some columns. */
type Key<Row> = Partial<Row>

/** A page of rows. A cursor page has one more row than is shown, and no total. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Runs in the transaction that inserts a row. */
export type InTransaction<Row, Tables> = (row: Row, transaction: Kysely<Tables>) => Promise<void>

/** The rows of one table. */
export interface Repository<Row extends StoredRow, Tables> {
  readonly find: (key: Key<Row>) => Promise<Row | undefined>
  /** @throws SallyportError 404 `NOT_FOUND` */
  readonly get: (key: Key<Row>) => Promise<Row>
  /** Returns a page of the rows with these values, or of all rows. */
  readonly list: (query: ListQuery, scope?: Key<Row>) => Promise<RowPage<Row>>
  /**
   * Inserts a row. Rejects with the error of the database for a duplicate value: see `isUniqueViolation`.
   * @param together runs in the same transaction, and again when the transaction is retried
   * @throws SallyportError 409 `CONFLICT` for a reference to a missing row
   */
  readonly insert: (values: Own<Row>, together?: InTransaction<Row, Tables>) => Promise<Row>
  /**
   * Changes a row. `decide` gets the current row and returns the changes, or throws; it runs again after a version
   * conflict. Without changes, the version stays.
   * @throws SallyportError 404 `NOT_FOUND`; 409 `CONFLICT` for a reference to a missing row
   */
  readonly change: (
    key: Key<Row>,
    decide: (row: Row) => Partial<Own<Row>> | Promise<Partial<Own<Row>>>,
  ) => Promise<Row>
  /**
   * Deletes a row and the rows that belong to it; `decide` may throw.
   * @throws SallyportError 404 `NOT_FOUND`
   */
  readonly remove: (key: Key<Row>, decide: (row: Row) => void) => Promise<void>
}

export interface RepositoryOptions<Tables> extends ContentionOptions, RowListerOptions {
  /** The name of a row in messages, such as `user`. */
  readonly noun: string
  /** The database for reads by key and for short pages, outside of transactions. @default the database */
  readonly reads?: Kysely<Tables>
  /** The current time in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** How long a change waits for earlier changes of the same row, in milliseconds. @default 10,000 */
  readonly changeTimeoutMs?: number
}

/** Tables of which one has the columns of {@link StoredRow}. */
type TablesWith<Name extends string> = Readonly<Record<Name, StoredRow>>

/**
 * Creates the repository of a table with the columns of `addRowColumns`, on SQLite and PostgreSQL.
 *
 * A change compares and swaps the version, without locks and transactions, and is tried again after a conflict. A repository
 * of a transaction leaves that to `retryOnContention` around the transaction. Times are text in UTC; ids are UUIDs (version 7).
 *
 * @example
 * ```ts
 * import { createRepository, type StoredRow } from '@sallyport/sql/resources'
 * import type { SqliteDatabase } from '@sallyport/sql/sqlite'
 *
 * type Tables = { notes: StoredRow & { readonly text: string } }
 * declare const database: SqliteDatabase // await openSqlite(…)
 * const notes = createRepository(database.kysely.$extendTables<Tables>(), 'notes', { noun: 'note' })
 * const { id } = await notes.insert({ text: 'Buy milk' })
 * await notes.change({ id }, () => ({ text: 'Buy oat milk' }))
 * ```
 */
export function createRepository<Tables extends TablesWith<Name>, Name extends string>(
  db: Kysely<Tables>,
  name: Name,
  options: RepositoryOptions<Tables>,
): Repository<Tables[Name], Tables> {
  type Row = Tables[Name]
  const { noun, reads = db, now = Date.now, changeTimeoutMs = 10_000 } = options
  // The types of Kysely do not support a table as a parameter.
  const rows = db as unknown as Kysely<{ table: Columns }>
  const table = name as 'table'
  const findRow = createRowFinder(reads as unknown as typeof rows, table)
  const listRows = createRowLister(rows, reads as unknown as typeof rows, table, options)
  const createId = uuidV7(Date.now)
  const time = () => new Date(now()).toISOString()

  async function find(key: Key<Row>): Promise<Row | undefined> {
    return (await findRow(key as Columns)) as Row | undefined
  }

  async function get(key: Key<Row>): Promise<Row> {
    const row = await find(key)
    if (row === undefined) throw new SallyportError('NOT_FOUND', `There is no such ${noun}`)
    return row
  }

  // One after the other: of many concurrent changes of a row, most would lose the comparison of versions repeatedly.
  const withRowMutex = createKeyedMutex(changeTimeoutMs, createContentionError)
  const again = <T>(act: () => Promise<T>) => (db.isTransaction ? act() : retryOnContention(act, options))

  /** Runs `act` with the current row, and again after a version conflict. */
  function withCurrent<T>(key: Key<Row>, act: (row: Row) => Promise<T | undefined>): Promise<T> {
    const attempt = async () => {
      const done = await act(await get(key))
      if (done === undefined) throw new VersionConflict()
      return done
    }
    // A transaction that waited for the mutex would block the transactions that it waits for.
    return db.isTransaction ? attempt() : withRowMutex(JSON.stringify(key), () => again(attempt))
  }

  return {
    find,
    get,

    async list(query, scope = {}) {
      return (await listRows(query, scope as Columns)) as RowPage<unknown> as RowPage<Row>
    },

    async insert(values, together) {
      const at = time()
      const columns = { id: createId(), version: 1, created_at: at, updated_at: at, ...values }
      const row = columns as unknown as Row
      const insertInto = async (executor: typeof rows) => {
        await executor.insertInto(table).values(columns).execute()
      }
      const insertTogether = (act: InTransaction<Row, Tables>) =>
        rows.transaction().execute(async (transaction) => {
          await insertInto(transaction)
          await act(row, transaction as unknown as Kysely<Tables>)
        })
      const inserted = again(() => (together === undefined ? insertInto(rows) : insertTogether(together)))
      await inserted.catch(rejectDanglingReference)
      return row
    },

    change: (key, decide) =>
      withCurrent(key, async (row) => {
        const changes = await decide(row)
        if (Object.keys(changes).length === 0) return row
        const updated = await rows
          .updateTable(table)
          .set({ ...(changes as Columns), version: row.version + 1, updated_at: time() })
          .where('id', '=', row.id)
          .where('version', '=', row.version)
          .returningAll()
          .executeTakeFirst()
          .catch(rejectDanglingReference)
        return updated as Row | undefined
      }),

    async remove(key, decide) {
      await withCurrent(key, async (row) => {
        decide(row)
        const { numDeletedRows } = await rows
          .deleteFrom(table)
          .where('id', '=', row.id)
          .where('version', '=', row.version)
          .executeTakeFirstOrThrow()
        return numDeletedRows > 0n ? true : undefined
      })
    },
  }
}
