import { checkIntegers } from '@sallyport/internal/options'
import type { PageQuery } from '@sallyport/internal/page-of'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { escapeText } from './text.ts'

const columns = { createdAt: 'created_at', receivedAt: 'received_at' } as const

export function selectPage<Tables, Table extends keyof Tables, Row, Time extends keyof typeof columns>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  time: Time,
  { order = 'newest', after, offset = 0, limit }: PageQuery<Time>,
): SelectQueryBuilder<Tables, Table, Row> {
  checkIntegers({ offset, limit }, 0)
  const isNewest = order === 'newest'
  const direction = isNewest ? 'desc' : 'asc'
  const [at, id] = [sql.ref(columns[time]), sql.ref('id')]
  const operator = isNewest ? sql`<` : sql`>`
  const found = after
    ? rows.where(sql<SqlBool>`(${at}, ${id}) ${operator} (${after[time]}, ${escapeText(after.id)})`)
    : rows
  return found.orderBy(at, direction).orderBy(id, direction).limit(limit).offset(offset)
}

export async function countRows<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
): Promise<number> {
  const counting = rows.select(sql<number | string | bigint>`count(*)`.as('count'))
  const { count } = (await counting.executeTakeFirstOrThrow()) as { readonly count: unknown }
  return Number(count)
}
