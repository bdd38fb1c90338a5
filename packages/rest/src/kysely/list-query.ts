import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { LoadList } from '../answer-list.ts'
import type { ListQuery } from '../list-query.ts'
import { createPageLoader } from '../page-loader.ts'
import { toPageRequest, type PageRequest } from '../page.ts'
import type { ComparisonOperator, Predicate } from '../predicate.ts'
import { isPostgres, selectExactRows } from './exact-rows.ts'
import type { Scalar } from '../scalar.ts'
import type { SortKey } from '../sort.ts'

export interface SqlListOptions {
  /**
   * The column of each field, such as `{ created_at: 'users.created_at' }`.
   *
   * @default the name of the field
   */
  readonly columns?: Readonly<Record<string, string>>
  /**
   * Converts a value to a parameter of the driver, such as for better-sqlite3, which binds neither booleans nor Dates.
   * `createListLoader` on PostgreSQL does not call it for the position of a cursor, whose values are text of PostgreSQL.
   *
   * @default the value
   */
  readonly toParameter?: (value: Scalar, field: string) => unknown
  /**
   * The SQL of `contains`: `like` on every database, `instr` on SQLite, `strpos` on PostgreSQL. Only `like` can use a
   * PostgreSQL index (`pg_trgm`). The worst case of `like` is the product of both lengths: a millisecond for 2,000 and 200
   * characters. The worst case of `strpos` takes a quarter of that, the worst case of `instr` a fiftieth.
   *
   * @default 'like'
   */
  readonly contains?: 'like' | 'instr' | 'strpos'
}

/**
 * Applies a list query to a select: filters, search, position, order, offset and limit.
 *
 * For a cursor page it selects one row more than the page shows, as `cursorPage` expects. Null ordering is correct on
 * SQLite (3.30 or later) and PostgreSQL. Text is compared by the collation of the column. `contains` ignores case as the
 * database's `lower` does, which is ASCII-only in SQLite by default.
 *
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import type { ListQuery } from '@sallyport/rest'
 * import { applyListQuery } from '@sallyport/rest/kysely'
 *
 * async function listUsers(db: Kysely<{ users: { id: string; name: string } }>, query: ListQuery) {
 *   return await applyListQuery(db.selectFrom('users').selectAll(), query).execute()
 * }
 * ```
 */
export function applyListQuery<DB, TB extends keyof DB, O>(
  select: SelectQueryBuilder<DB, TB, O>,
  query: ListQuery,
  options: SqlListOptions = {},
): SelectQueryBuilder<DB, TB, O> {
  return selectPage(select, toPageRequest(query), options)
}

function selectPage<DB, TB extends keyof DB, O>(
  select: SelectQueryBuilder<DB, TB, O>,
  { where, sort, offset, limit }: PageRequest,
  options: SqlListOptions,
): SelectQueryBuilder<DB, TB, O> {
  const page = applySort(select.where(toExpression(where, options)), sort, options).limit(limit)
  return offset === 0 ? page : page.offset(offset)
}

/**
 * Creates a function that loads the rows for a list query, for `answerList`.
 *
 * The select must not group, limit or be distinct. On PostgreSQL, a cursor page compares the sort values at the precision of
 * their columns, such as microseconds. The total of an offset page is counted with a second statement, unless
 * the page is the last.
 *
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { answerList, type ApiContext, type ListQuery } from '@sallyport/rest'
 * import { createListLoader } from '@sallyport/rest/kysely'
 *
 * async function listUsers(db: Kysely<{ users: { id: string; name: string } }>, query: ListQuery, context: ApiContext) {
 *   return await answerList(query, context, createListLoader(db.selectFrom('users').selectAll()))
 * }
 * ```
 */
export function createListLoader<DB, TB extends keyof DB, O>(
  select: SelectQueryBuilder<DB, TB, O>,
  options: SqlListOptions = {},
): LoadList<O> {
  const load = createPageLoader({
    find: (page) => selectPage(select, page, options).execute(),
    async count(where) {
      const { total } = await select
        .where(toExpression(where, options))
        .clearSelect()
        .clearOrderBy()
        .select((columns) => columns.fn.countAll().as('total'))
        .$castTo<{ total: unknown }>()
        .executeTakeFirstOrThrow()
      return Number(total)
    },
  })
  return async (query) => {
    const { pagination, where } = query
    if (pagination.kind !== 'cursor' || !isPostgres(select)) return await load(query)
    const page = toPageRequest(query)
    const columns = page.sort.map(({ field }) => [field, getColumn(field, options)] as const)
    const ahead = select.where(toExpression(pagination.ahead, { ...options, toParameter: keepText }))
    const rows = selectPage(ahead, { ...page, where }, options)
    return { rows: await selectExactRows(rows, Object.fromEntries(columns)) }
  }
}

/** A conversion would read the exact text of PostgreSQL as a value of the driver. */
const keepText = (value: Scalar): Scalar => value

/** Orders a select by the keys of a sort, with nulls where the keys place them. */
function applySort<DB, TB extends keyof DB, O>(
  select: SelectQueryBuilder<DB, TB, O>,
  sort: readonly SortKey[],
  options: Pick<SqlListOptions, 'columns'> = {},
): SelectQueryBuilder<DB, TB, O> {
  return sort.reduce((ordered, { field, direction, nullable, nulls }) => {
    const column = getColumn(field, options)
    if (!nullable) return ordered.orderBy(column, direction)
    return ordered.orderBy(column, (order) => {
      const directed = direction === 'asc' ? order.asc() : order.desc()
      return nulls === 'first' ? directed.nullsFirst() : directed.nullsLast()
    })
  }, select)
}

/**
 * Converts a predicate to a SQL expression for `where`. Values are always bound parameters.
 *
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import type { ListQuery } from '@sallyport/rest'
 * import { toExpression } from '@sallyport/rest/kysely'
 *
 * async function countUsers(db: Kysely<{ users: { id: string } }>, query: ListQuery) {
 *   const all = db.selectFrom('users').where(toExpression(query.where))
 *   const { total } = await all.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
 *   return Number(total)
 * }
 * ```
 */
export function toExpression(predicate: Predicate, options: SqlListOptions = {}): Expression<SqlBool> {
  return render(predicate, options)
}

function render(predicate: Predicate, options: SqlListOptions): RawBuilder<SqlBool> {
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const parts = predicate.of.map((part) => render(part, options))
      if (parts.length === 0) return predicate.op === 'and' ? sql`1 = 1` : sql`1 = 0`
      return sql`(${sql.join(parts, predicate.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'null':
      return sql`${getColumn(predicate.field, options)} is null`
    case 'not-null':
      return sql`${getColumn(predicate.field, options)} is not null`
    case 'contains':
      return containsExpression(
        getColumn(predicate.field, options),
        predicate.value,
        options.contains ?? 'like',
      )
    case 'in': {
      if (predicate.values.length === 0) return sql`1 = 0`
      const values = predicate.values.map((value) => parameter(predicate.field, value, options))
      return sql`${getColumn(predicate.field, options)} in (${sql.join(values)})`
    }
    case 'row-lt':
    case 'row-gt': {
      const { fields } = predicate
      const columns = sql.join(fields.map((field) => getColumn(field, options)))
      const values = sql.join(
        fields.map((field, index) => parameter(field, predicate.values[index] as Scalar, options)),
      )
      return sql`(${columns}) ${predicate.op === 'row-lt' ? sql`<` : sql`>`} (${values})`
    }
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const { op, field, value } = predicate
      return sql`${getColumn(field, options)} ${operators[op]} ${parameter(field, value, options)}`
    }
  }
}

const operators: Readonly<Record<ComparisonOperator, RawBuilder<unknown>>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

function getColumn(field: string, { columns }: Pick<SqlListOptions, 'columns'>): RawBuilder<unknown> {
  return sql.ref(columns !== undefined && Object.hasOwn(columns, field) ? (columns[field] ?? field) : field)
}

function parameter(field: string, value: Scalar, { toParameter }: SqlListOptions): RawBuilder<unknown> {
  return sql`${toParameter === undefined ? value : toParameter(value, field)}`
}

/** Whether a text contains another, ignoring case; null contains nothing. */
function containsExpression(
  text: RawBuilder<unknown>,
  value: string,
  form: NonNullable<SqlListOptions['contains']>,
): RawBuilder<SqlBool> {
  if (form === 'like') {
    const pattern = `%${value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(${text}) like lower(${pattern}) escape ${sql.lit('\\')}`
  }
  return sql`${positionFunctions[form]}(lower(${text}), lower(${value})) > 0`
}

const positionFunctions = { instr: sql`instr`, strpos: sql`strpos` } as const
