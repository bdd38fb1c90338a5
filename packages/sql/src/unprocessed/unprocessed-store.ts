import { checkIntegers } from '@sallyport/internal/options'
import type {
  UnprocessedDelivery,
  UnprocessedFilter,
  UnprocessedRecord,
  UnprocessedStore,
} from '@sallyport/webhooks/unprocessed'
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
import { sealBytes } from '../encryption/seal.ts'
import type { ReadHashes, ValueHashes } from '../encryption/value-hashes.ts'
import { textMark, type Vault } from '../encryption/vault.ts'
import { countRows, selectPage } from '../internal/page.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { UnprocessedDeliveriesTable, UnprocessedTables } from './tables.ts'

/** Engines limit the parameters of a statement. */
const portion = 500

const summary = [
  'id',
  'received_at',
  'outcome',
  'provider',
  'endpoint',
  'kind',
  'reason',
  'status',
  'body_bytes',
] as const

export interface Encryption {
  readonly vault: Vault
  readonly readHashes: ReadHashes
}

/** Stores ignored and refused deliveries. */
export function kyselyUnprocessedStore<Tables>(
  database: Kysely<Tables>,
  { vault, readHashes }: Encryption,
): UnprocessedStore {
  const db = database as unknown as Kysely<UnprocessedTables>
  const selectRows = (filter: UnprocessedFilter, find: ValueHashes['find']) =>
    db.selectFrom('unprocessed_deliveries').where((row) => matching(row, filter, find))

  return {
    async add(records) {
      const { write } = await readHashes('write')
      for (let start = 0; start < records.length; start += portion) {
        await db
          .insertInto('unprocessed_deliveries')
          .values(records.slice(start, start + portion).map((record) => toRow(record, write, vault)))
          .execute()
      }
    },

    async get(id) {
      const row = await db
        .selectFrom('unprocessed_deliveries')
        .selectAll()
        .where('id', '=', escapeText(id))
        .executeTakeFirst()
      return row && toRecord(row, vault)
    },

    async list(query) {
      const { find } = await readHashes()
      const found = selectPage(selectRows(query, find).select(summary), 'receivedAt', query)
      return (await found.execute()).map(toSummary)
    },

    async count(filter) {
      const { find } = await readHashes()
      return await countRows(selectRows(filter, find))
    },

    async delete(id) {
      const { numDeletedRows } = await db
        .deleteFrom('unprocessed_deliveries')
        .where('id', '=', escapeText(id))
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async erase(filter, { limit }) {
      checkIntegers({ limit }, 1)
      const { find } = await readHashes()
      const { numDeletedRows } = await db
        .deleteFrom('unprocessed_deliveries')
        .where('id', 'in', (found) =>
          found
            .selectFrom('unprocessed_deliveries')
            .select('id')
            .where((row) => matching(row, filter, find))
            .limit(limit),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async prune({ before, deliveries, bytes }) {
      // The searches run before the deletions, so that they hold no lock.
      const old = db.selectFrom('unprocessed_deliveries').select('id').where('received_at', '<', before)
      let deleted = await deleteAll(await old.execute())
      for (const outcome of ['ignored', 'refused'] as const) {
        const size = async () =>
          await db
            .selectFrom('unprocessed_deliveries')
            .select((row) => [row.fn.countAll().as('number'), row.fn.sum('stored_bytes').as('bytes')])
            .where('outcome', '=', outcome)
            .executeTakeFirstOrThrow()
        if (Number((await size()).number) > deliveries)
          deleted += await deleteAll(await findBeyond(outcome, sql`1`, deliveries))
        if (Number((await size()).bytes) > bytes)
          deleted += await deleteAll(await findBeyond(outcome, sql`stored_bytes`, bytes))
      }
      return deleted
    },
  }

  /** Finds the deliveries beyond a limit. The largest client of the largest provider or endpoint loses its oldest ones first. */
  async function findBeyond(
    outcome: UnprocessedDelivery['outcome'],
    weight: RawBuilder<unknown>,
    limit: number,
  ): Promise<readonly Identified[]> {
    // Kysely adds the schema to the table of a query, and not to one in raw SQL.
    const kept = db
      .selectFrom('unprocessed_deliveries')
      .select([
        ...(['id', 'received_at'] as const),
        weight.as('weight'),
        sql`coalesce(client, '')`.as('client'),
        sql`provider || '/' || coalesce(endpoint, '')`.as('target'),
      ])
      .where('outcome', '=', outcome)
    const { rows } = await sql<Identified>`
      select id from (
        select id, sum(weight) over (order by share, received_at desc, id desc) as total
        from (
          select id, received_at, weight,
            sum(weight) over (partition by target order by share, received_at desc, id desc) as share
          from (
            select id, received_at, weight, target,
              sum(weight) over (partition by target, client order by received_at desc, id desc) as share
            from (${kept}) as kept
          ) as of_clients
        ) as of_targets
      ) as sized
      where total > ${limit}`.execute(db)
    return rows
  }

  async function deleteAll(found: readonly Identified[]): Promise<number> {
    let deleted = 0
    for (let start = 0; start < found.length; start += portion) {
      const ids = found.slice(start, start + portion).map(({ id }) => id)
      const { numDeletedRows } = await db
        .deleteFrom('unprocessed_deliveries')
        .where('id', 'in', ids)
        .executeTakeFirst()
      deleted += Number(numDeletedRows)
    }
    return deleted
  }
}

interface Identified {
  readonly id: string
}

function matching(
  row: ExpressionBuilder<UnprocessedTables, 'unprocessed_deliveries'>,
  { receivedAfter, receivedBefore, value, endpoints, ...texts }: UnprocessedFilter,
  find: ValueHashes['find'],
): Expression<SqlBool> {
  const terms: Expression<SqlBool>[] = []
  for (const name of ['outcome', 'provider', 'endpoint', 'kind', 'reason'] as const) {
    const text = texts[name]
    if (text !== undefined) terms.push(row(name, '=', escapeText(text)))
  }
  if (endpoints !== undefined) terms.push(isOneOf('endpoint', endpoints))
  // The store is small enough to be read as a whole.
  if (value !== undefined)
    terms.push(row.or(find(value).map((hash) => row('value_hashes', 'like', `% ${hash} %`))))
  if (receivedAfter !== undefined) terms.push(row('received_at', '>', Math.floor(receivedAfter)))
  if (receivedBefore !== undefined) terms.push(row('received_at', '<', Math.ceil(receivedBefore)))
  return row.and(terms)
}

const escapeOptional = (text: string | undefined) => (text === undefined ? null : escapeText(text))

/** Names a column of an ignored or refused delivery. */
const toContext = (column: 'headers' | 'body', id: string) => `unprocessed ${column} ${id}`

function toRow(record: UnprocessedRecord, hash: ValueHashes['write'], { newKey, seal }: Vault) {
  const id = escapeText(record.id)
  const key = newKey()
  return {
    id,
    received_at: record.receivedAt,
    outcome: record.outcome,
    provider: escapeText(record.provider),
    endpoint: escapeOptional(record.endpoint),
    kind: escapeOptional(record.kind),
    reason: escapeOptional(record.reason),
    status: record.status,
    body_bytes: record.bodyBytes,
    stored_bytes: record.storedBytes,
    headers: seal(JSON.stringify(record.headers), toContext('headers', id), key),
    client: escapeOptional(record.client),
    proof: record.proof ?? null,
    value_hashes: (record.values ?? []).map((value) => ` ${hash(value)} `).join(''),
    body: key ? sealBytes(record.body, false, key, toContext('body', id)) : record.body,
  }
}

const unescapeOptional = <Name extends string>(name: Name, text: string | null) =>
  (text === null ? {} : { [name]: unescapeText(text) }) as Partial<Record<Name, string>>

function toSummary(
  row: Pick<Selectable<UnprocessedDeliveriesTable>, (typeof summary)[number]>,
): UnprocessedDelivery {
  return {
    id: unescapeText(row.id),
    receivedAt: Number(row.received_at),
    outcome: row.outcome,
    provider: unescapeText(row.provider),
    ...unescapeOptional('endpoint', row.endpoint),
    ...unescapeOptional('kind', row.kind),
    ...unescapeOptional('reason', row.reason),
    status: Number(row.status),
    bodyBytes: Number(row.body_bytes),
  }
}

/** @throws the errors of a vault */
function toRecord(row: Selectable<UnprocessedDeliveriesTable>, vault: Vault): UnprocessedRecord {
  const headers = vault.open(row.headers, toContext('headers', row.id))
  // A row is sealed as a whole.
  const isSealed = row.headers.startsWith(textMark)
  const body = isSealed ? vault.openBytes(row.body, toContext('body', row.id)).body : row.body
  return {
    ...toSummary(row),
    headers: JSON.parse(headers) as UnprocessedRecord['headers'],
    ...unescapeOptional('client', row.client),
    ...(row.proof !== null && { proof: row.proof }),
    body: new Uint8Array(body),
    storedBytes: Number(row.stored_bytes),
  }
}
