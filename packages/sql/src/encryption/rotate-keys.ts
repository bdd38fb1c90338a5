import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from '../internal/is-postgres.ts'
import type { InboxTables } from '../internal/tables.ts'
import { headBytes, isSealed } from './key-ring.ts'
import { textHeadLength, textMark, type Vault } from './vault.ts'

/** The result of a rotation of keys. */
export interface KeyRotation {
  /** The values whose keys the first key of the ring wraps now, and did not before. */
  readonly values: number
  /** The values that no key of the ring opens. */
  readonly unreadable: number
}

interface SealedTable {
  readonly name: keyof InboxTables
  /** The columns of an index in whose order the rows are read. */
  readonly key: readonly string[]
  readonly texts?: readonly string[]
  /** The columns of bytes, each with the condition that a row has sealed ones. */
  readonly bytes?: Readonly<Record<string, string>>
  /** The characters before the head of a text. @default the mark of a sealed text */
  readonly start?: string
}

const sealedTables: readonly SealedTable[] = [
  { name: 'encryption_keys', key: ['name'], texts: ['key'] },
  { name: 'deliveries', key: ['sequence'], texts: ['headers', 'query'] },
  { name: 'delivery_bodies', key: ['delivery'], bytes: { body: `encoding = 'sealed'` } },
  { name: 'body_objects', key: ['reference'], bytes: { head: 'true' } },
  { name: 'events', key: ['sequence'], texts: ['data'], bytes: { data_body: 'true' } },
  {
    name: 'failures',
    key: ['event', 'work', 'number'],
    texts: ['response'],
    start: `{"body":${JSON.stringify(textMark).slice(0, -1)}`,
  },
  { name: 'bus_events', key: ['sequence'], texts: ['event'], bytes: { data_body: 'true' } },
  { name: 'bus_dead_letters', key: ['consumer', 'sequence'], texts: ['event'] },
  { name: 'queued_events', key: ['sequence'], texts: ['event'] },
  {
    name: 'unprocessed_deliveries',
    key: ['id'],
    texts: ['headers'],
    bytes: { body: `substr(headers, 1, ${textMark.length}) = '${textMark}'` },
  },
]

type Row = Readonly<Record<string, unknown>>

/** The rows of a transaction, which locks those that it changes. */
const portion = 200

/**
 * Wraps the keys of all values by the first key of the ring; the values themselves stay as they are. Processes may run
 * meanwhile. After an interruption, the next call continues, because it skips the values that are done.
 */
export async function rotateKeys<Tables>(database: Kysely<Tables>, vault: Vault): Promise<KeyRotation> {
  const db = database as unknown as Kysely<InboxTables>
  const total = { values: 0, unreadable: 0 }
  for (const table of sealedTables) {
    let last: Row | undefined
    do {
      const done = await rotatePortion(db, table, last, vault)
      total.values += done.values
      total.unreadable += done.unreadable
      last = done.last
    } while (last !== undefined)
  }
  return total
}

async function rotatePortion(
  db: Kysely<InboxTables>,
  table: SealedTable,
  after: Row | undefined,
  vault: Vault,
) {
  const { name, key, texts = [], bytes = {}, start = textMark } = table
  const columns = [
    ...texts.map((column) => headOfText(column, start)),
    ...Object.entries(bytes).map(([column, condition]) => headOfBytes(column, condition, isPostgres(db))),
  ]
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const from = after && sql`where (${keys}) > (${sql.join(key.map((column) => after[column]))})`
  const heads = sql.join(columns.map(({ head, column }) => sql`${head} as ${sql.ref(column)}`))
  // A key of a row may also be the name of a sealed column.
  const places = sql.join(key.map((column) => sql`${sql.ref(column)} as ${sql.ref(`key_${column}`)}`))
  const { rows } = await sql<Row>`select ${places}, ${heads} from ${sql.table(name)} ${from ?? sql``}
    order by ${keys} limit ${portion}`.execute(db)
  const counts = { values: 0, unreadable: 0 }
  const changes: RawBuilder<unknown>[] = []
  for (const row of rows) {
    const isRow = sql.join(
      key.map((column) => sql`${sql.ref(column)} = ${row[`key_${column}`]}`),
      sql` and `,
    )
    for (const { column, read, change } of columns) {
      const head = read(row[column])
      if (head === undefined) continue
      const rotated = rewrap(head, vault)
      if (rotated === 'unreadable') counts.unreadable++
      if (typeof rotated === 'string' || rotated === undefined) continue
      counts.values++
      // The value may have been erased or changed meanwhile.
      changes.push(
        sql`update ${sql.table(name)} set ${sql.ref(column)} = ${change(head, rotated)} where ${isRow}`,
      )
    }
  }
  if (changes.length > 0)
    await db.transaction().execute(async (transaction) => {
      for (const one of changes) await one.execute(transaction)
    })
  const lastRow = rows.length === portion ? rows.at(-1) : undefined
  const last = lastRow && Object.fromEntries(key.map((column) => [column, lastRow[`key_${column}`]]))
  return { ...counts, last }
}

function rewrap(head: Uint8Array, { ring }: Vault): Uint8Array | 'unreadable' | undefined {
  try {
    return ring.rewrap(head)
  } catch {
    return 'unreadable'
  }
}

interface HeadColumn {
  readonly column: string
  readonly head: RawBuilder<unknown>
  /** Returns the head; undefined for a value that is not sealed. */
  readonly read: (selected: unknown) => Uint8Array | undefined
  /** Replaces the head of a value that still has it. */
  readonly change: (old: Uint8Array, next: Uint8Array) => RawBuilder<unknown>
}

function headOfText(column: string, start: string): HeadColumn {
  const length = start.length + textHeadLength
  const toText = (head: Uint8Array) => start + Buffer.from(head).toString('base64url')
  return {
    column,
    head: sql`substr(${sql.ref(column)}, 1, ${sql.lit(length)})`,
    read: (selected) =>
      typeof selected === 'string' && selected.length === length && selected.startsWith(start)
        ? Buffer.from(selected.slice(start.length), 'base64url')
        : undefined,
    change: (old, next) => sql`case when substr(${sql.ref(column)}, 1, ${sql.lit(length)}) = ${toText(old)}
      then cast(${toText(next)} as text) || substr(${sql.ref(column)}, ${sql.lit(length + 1)}) else ${sql.ref(column)} end`,
  }
}

function headOfBytes(column: string, condition: string, onPostgres: boolean): HeadColumn {
  const type = sql.raw(onPostgres ? 'bytea' : 'blob')
  return {
    column,
    head: sql`case when ${sql.raw(condition)} then substr(${sql.ref(column)}, 1, ${sql.lit(headBytes)}) end`,
    read: (selected) => (selected instanceof Uint8Array && isSealed(selected) ? selected : undefined),
    change: (old, next) => sql`case when substr(${sql.ref(column)}, 1, ${sql.lit(headBytes)}) = ${old}
      then cast(${next} || substr(${sql.ref(column)}, ${sql.lit(headBytes + 1)}) as ${type}) else ${sql.ref(column)} end`,
  }
}
