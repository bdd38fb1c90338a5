import type { EndpointFilter, EndpointRecord, EndpointStore } from '@sallyport/webhooks/endpoints'
import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
} from 'kysely'
import { isOneOf } from '../deliveries/endpoint-terms.ts'
import { deleteInBatches } from '../internal/delete-in-batches.ts'
import { inTransaction } from '../internal/in-transaction.ts'
import { isPostgres } from '../internal/is-postgres.ts'
import { countRows, selectPage } from '../internal/page.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { asPrepared } from '../postgres/prepared.ts'
import type { EndpointsTable, EndpointTables } from './tables.ts'

export interface KyselyEndpointStoreOptions<Tables> {
  /** The database for lookups by id and for changes, such as the `reads` of a SQLite database. @default the database */
  readonly reads?: Kysely<Tables>
}

/** Engines limit the parameters of a statement. */
const portion = 512

/** A deleted endpoint keeps its id. */
const erased = { name: '', search: '', secrets: '[]', labels: '{}', options: '{}' } as const

// A prepared statement for all columns fails after a migration that adds a column.
const recordColumns = [
  'id',
  'provider',
  'name',
  'status',
  'secrets',
  'labels',
  'options',
  'handshake_until',
  'version',
  'created_at',
  'updated_at',
] as const

/**
 * Stores endpoints.
 *
 * Each change takes the next position in a transaction that locks the position, so that the positions have the order of the
 * commits. PostgreSQL must use its default isolation level, read committed.
 */
export function kyselyEndpointStore<Tables>(
  database: Kysely<Tables>,
  options: KyselyEndpointStoreOptions<Tables> = {},
): EndpointStore {
  const db = database as unknown as Kysely<EndpointTables>
  const reads = (options.reads ?? database) as unknown as Kysely<EndpointTables>

  const indexOf = sql.raw(isPostgres(db) ? 'strpos' : 'instr')
  const selectEndpoints = (filter: EndpointFilter) =>
    db.selectFrom('endpoints').where((endpoint) => matching(endpoint, filter, indexOf))

  /** Runs a change with the next position. The lock on the position lasts until the commit. */
  const change = (run: (db: Kysely<EndpointTables>, position: number) => Promise<boolean>) =>
    inTransaction(db, async (transaction) => {
      const { value } = await transaction
        .updateTable('endpoint_changes')
        .set({ value: sql<number>`value + 1` })
        .where('name', '=', 'endpoints')
        .returning('value')
        .executeTakeFirstOrThrow()
      return await run(transaction, Number(value))
    })

  return {
    insert: (endpoint, save) =>
      change(async (one, position) => {
        const { numInsertedOrUpdatedRows } = await one
          .insertInto('endpoints')
          .values({ ...toRow(endpoint), deleted_at: null, change: position })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) return false
        await save?.(one)
        return true
      }),

    async get(ids) {
      const found: EndpointRecord[] = []
      for (let start = 0; start < ids.length; start += portion) {
        // A term for deleted endpoints would let PostgreSQL scan a partial index of all others while it has no statistics.
        const query = reads
          .selectFrom('endpoints')
          .select([...recordColumns, 'deleted_at'])
          .where('id', 'in', repeatLast(ids.slice(start, start + portion).map(escapeText)))
          .compile()
        const { rows } = await reads.executeQuery(asPrepared(query))
        found.push(...rows.filter((row) => row.deleted_at === null).map(toRecord))
      }
      return found
    },

    replace: (endpoint, version, save) =>
      change(async (one, position) => {
        const { numUpdatedRows } = await one
          .updateTable('endpoints')
          .set({ ...toRow(endpoint), change: position })
          .where('id', '=', escapeText(endpoint.id))
          .where('version', '=', version)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) return false
        await save?.(one)
        return true
      }),

    delete: (id, version, at) =>
      change(async (one, position) => {
        const { numUpdatedRows } = await one
          .updateTable('endpoints')
          .set({ deleted_at: at, ...erased, change: position })
          .where('id', '=', escapeText(id))
          .where('version', '=', version)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),

    async list(query) {
      const found = selectPage(selectEndpoints(query).selectAll(), 'createdAt', query)
      return (await found.execute()).map(toRecord)
    },

    count: (filter) => countRows(selectEndpoints(filter)),

    async changes({ after, limit }) {
      if (after === undefined) return { position: await readPosition(reads), ids: [] }
      const rows = await reads
        .selectFrom('endpoints')
        .select(['id', 'change'])
        .where('change', '>', after)
        .orderBy('change')
        .limit(limit + 1)
        .execute()
      if (rows.length > limit) return { position: await readPosition(reads), ids: undefined }
      return {
        position: Number(rows.at(-1)?.change ?? after),
        ids: rows.map(({ id }) => unescapeText(id)),
      }
    },

    prune: (before) =>
      deleteInBatches((limit) =>
        db
          .deleteFrom('endpoints')
          .where('id', 'in', (expired) =>
            expired.selectFrom('endpoints').select('id').where('deleted_at', '<', before).limit(limit),
          )
          .executeTakeFirst(),
      ),
  }
}

async function readPosition(db: Kysely<EndpointTables>): Promise<number> {
  const { value } = await db.selectFrom('endpoint_changes').select('value').executeTakeFirstOrThrow()
  return Number(value)
}

function matching(
  endpoint: ExpressionBuilder<EndpointTables, 'endpoints'>,
  { ids, provider, status, labels = {}, search, createdAfter }: EndpointFilter,
  indexOf: RawBuilder<unknown>,
): Expression<SqlBool> {
  const terms: Expression<SqlBool>[] = [endpoint('deleted_at', 'is', null)]
  if (provider !== undefined) terms.push(endpoint('provider', '=', escapeText(provider)))
  if (status !== undefined) terms.push(endpoint('status', '=', status))
  if (ids !== undefined) terms.push(isOneOf('id', ids))
  // JSON escapes the quotes of names and values, so that no other text than a label contains this one.
  for (const [name, value] of Object.entries(labels)) {
    const label = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    terms.push(sql<SqlBool>`${indexOf}(',' || substr(labels, 2), ${label}) > 0`)
  }
  if (search !== undefined) {
    const pattern = `%${escapeText(search.toLowerCase()).replace(/[!%_]/g, '!$&')}%`
    terms.push(sql<SqlBool>`search like ${pattern} escape '!'`)
  }
  if (createdAfter !== undefined) terms.push(endpoint('created_at', '>', Math.floor(createdAfter)))
  return endpoint.and(terms)
}

function toRow({ id, provider, name, status, ...endpoint }: EndpointRecord) {
  return {
    id: escapeText(id),
    provider: escapeText(provider),
    name: escapeText(name),
    search: escapeText(name.toLowerCase()),
    status,
    secrets: JSON.stringify(endpoint.secrets),
    labels: JSON.stringify(endpoint.labels),
    options: JSON.stringify(endpoint.options),
    handshake_until: endpoint.handshakeUntil ?? null,
    version: endpoint.version,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  }
}

/** Repeats the last id up to a power of two, so that lookups have ten texts to prepare. */
function repeatLast(ids: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array<string>(size - ids.length).fill(ids.at(-1) ?? '')]
}

function toRecord(row: Pick<Selectable<EndpointsTable>, (typeof recordColumns)[number]>): EndpointRecord {
  return {
    id: unescapeText(row.id),
    provider: unescapeText(row.provider),
    name: unescapeText(row.name),
    status: row.status,
    secrets: JSON.parse(row.secrets) as EndpointRecord['secrets'],
    labels: JSON.parse(row.labels) as EndpointRecord['labels'],
    options: JSON.parse(row.options) as EndpointRecord['options'],
    ...(row.handshake_until !== null && { handshakeUntil: Number(row.handshake_until) }),
    version: Number(row.version),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}
