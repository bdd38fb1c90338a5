import { checkIntegers } from '@sallyport/internal/options'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { escapeText } from './text.ts'

const columns = { createdAt: 'created_at', receivedAt: 'received_at' } as const

/** A page of a list, by a time and then by id. */
interface Page<Time extends keyof typeof columns> {
  /** @default 'newest' */
  readonly order?: 'newest' | 'oldest' | undefined
  /** Only rows after this position. */
  readonly after?: (Readonly<Record<Time, number>> & { readonly id: string }) | undefined
  /** @default 0 */
  readonly offset?: number | undefined
  readonly limit: number
}

export function selectPage<Tables, Table extends keyof Tables, Row, Time extends keyof typeof columns>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  time: Time,
  { order = 'newest', after, offset = 0, limit }: Page<Time>,
): SelectQueryBuilder<Tables, Table, Row> {
  checkIntegers({ offset, limit }, 0)
  const isNewest = order === 'newest'
  const direction = isNewest ? 'desc' : 'asc'
  const [at, id] = [sql.ref(columns[time]), sql.ref('id')]
  const found = after
    ? rows.where(
        sql<SqlBool>`(${at}, ${id}) ${isNewest ? sql`<` : sql`>`} (${after[time]}, ${escapeText(after.id)})`,
      )
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
