import { SallyportError } from '@sallyport/errors'
import type { ListQuery } from '@sallyport/rest'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { LostRace, untilUncontended, type ContentionOptions } from './contention.ts'
import { rowFinder, type Columns } from './row-finder.ts'
import { rowLister, type RowListerOptions } from './row-lister.ts'
import { createRowTurns } from './row-turns.ts'
import type { StoredRow, Tables } from './tables.ts'
import { refuseDangling } from './violations.ts'

/** The columns of a row that are its own, rather than kept by the repository. */
type Own<Row extends StoredRow> = Omit<Row, keyof StoredRow>

/** Values that a row has to have in some of its columns. */
type Key<Row> = Partial<Row>

/** One page of rows; of a cursor page one row more than is shown, and without the total. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** What becomes of a row that was inserted, within its transaction. */
export type Together<Row> = (row: Row, transaction: Kysely<Tables>) => Promise<void>

/** The rows of one table. */
export interface Repository<Row extends StoredRow> {
  readonly find: (key: Key<Row>) => Promise<Row | undefined>
  /** @throws SallyportError 404 `NOT_FOUND` when there is none */
  readonly get: (key: Key<Row>) => Promise<Row>
  /** A page of the rows with these values; all rows without them. */
  readonly list: (query: ListQuery, scope?: Key<Row>) => Promise<Page<Row>>
  /**
   * Rejects as the database does when a value is taken: `isUniqueViolation` tells.
   *
   * @param together what is done in the same transaction, done again with it when others were in its way
   * @throws SallyportError 409 `CONFLICT` when what the row refers to is not there
   */
  readonly insert: (values: Own<Row>, together?: Together<Row>) => Promise<Row>
  /**
   * Changes a row as `decide` says, which is shown the row as it is, and throws to refuse. It is asked again when
   * somebody else was faster. No change leaves the version as it is.
   *
   * @throws SallyportError 404 `NOT_FOUND` when there is none; 409 `CONFLICT` when what it then refers to is not there
   */
  readonly change: (
    key: Key<Row>,
    decide: (row: Row) => Partial<Own<Row>> | Promise<Partial<Own<Row>>>,
  ) => Promise<Row>
  /**
   * Deletes a row, and with it what belongs to it; `decide` throws to refuse.
   *
   * @throws SallyportError 404 `NOT_FOUND` when there is none
   */
  readonly remove: (key: Key<Row>, decide: (row: Row) => void) => Promise<void>
}

export interface RepositoryOptions extends ContentionOptions, RowListerOptions {
  /** What a row is called in messages, such as `user`. */
  readonly noun: string
  /** Where rows are found by their keys, and pages that are short; not for a transaction. @default the database */
  readonly reads?: Kysely<Tables>
  /** The present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** How long a change waits for those of the same row that came before it, in milliseconds. @default 10,000 */
  readonly patienceMs?: number
}

/**
 * The rows of a table; changes are compare-and-set on the version, which needs no locks and no transaction. Within one,
 * what is lost to others is for its owner to run again: `untilUncontended`.
 */
export function createRepository<Name extends keyof Tables>(
  db: Kysely<Tables>,
  name: Name,
  options: RepositoryOptions,
): Repository<Tables[Name]> {
  type Row = Tables[Name]
  const { noun, reads = db, now = Date.now, patienceMs } = options
  // A table that is a parameter is beyond what Kysely's types can follow; rows go in and come out typed.
  const rows = db as unknown as Kysely<{ table: Columns }>
  const table = name as 'table'
  const findRow = rowFinder(reads as unknown as typeof rows, table)
  const listRows = rowLister(rows, reads as unknown as typeof rows, table, options)
  const time = () => new Date(now()).toISOString()

  async function find(key: Key<Row>): Promise<Row | undefined> {
    return (await findRow(key as Columns)) as Row | undefined
  }

  async function get(key: Key<Row>): Promise<Row> {
    const row = await find(key)
    if (row === undefined) throw new SallyportError('NOT_FOUND', `There is no such ${noun}`)
    return row
  }

  const inTurn = createRowTurns(patienceMs)
  const again = <T>(act: () => Promise<T>) => (db.isTransaction ? act() : untilUncontended(act, options))

  /** Until `act` has won against everybody else, each time with the row as it is then. */
  function withCurrent<T>(key: Key<Row>, act: (row: Row) => Promise<T | undefined>): Promise<T> {
    const attempt = async () => {
      const done = await act(await get(key))
      if (done === undefined) throw new LostRace()
      return done
    }
    // Who waits for a turn within a transaction would keep others from what they need to end theirs.
    return db.isTransaction ? attempt() : inTurn(JSON.stringify(key), () => again(attempt))
  }

  return {
    find,
    get,

    async list(query, scope = {}) {
      return (await listRows(query, scope as Columns)) as Page<unknown> as Page<Row>
    },

    async insert(values, together) {
      const at = time()
      const columns = { id: uuidv7(), version: 1, created_at: at, updated_at: at, ...values }
      const row = columns as unknown as Row
      const insertInto = async (executor: typeof rows) => {
        await executor.insertInto(table).values(columns).execute()
      }
      const insertTogether = (act: Together<Row>) =>
        rows.transaction().execute(async (transaction) => {
          await insertInto(transaction)
          await act(row, transaction as unknown as Kysely<Tables>)
        })
      const inserted = again(() => (together === undefined ? insertInto(rows) : insertTogether(together)))
      await inserted.catch(refuseDangling)
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
          .catch(refuseDangling)
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
