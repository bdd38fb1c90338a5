import {
  and,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  type Column,
  type SQL,
} from 'drizzle-orm'
import type { LoadList } from '@sallyport/rest'
import { createPageLoader, type Predicate, type Scalar, type SortKey } from '@sallyport/rest/store'

/** The parts of a select statement. */
export interface DrizzlePage {
  readonly where: SQL
  readonly orderBy: SQL[]
  readonly limit: number
  readonly offset: number
}

export interface DrizzleListOptions<Row> {
  /** The columns by field, such as `getTableColumns(books)`. */
  readonly columns: Readonly<Record<string, Column>>
  readonly find: (page: DrizzlePage) => PromiseLike<readonly Row[]>
  /** Counts the rows of all pages, for the total of offset pages. */
  readonly count: (where: SQL) => PromiseLike<number>
}

/**
 * Creates a function that loads the rows for a list query from PostgreSQL or SQLite.
 *
 * Text is compared by the collation of its column. A search ignores case as `lower` of the database does. Times need a
 * precision of milliseconds, `timestamp({ precision: 3 })`; with microseconds, cursor pages skip or repeat rows.
 *
 * @throws TypeError for a field of the query that has no column
 */
export function createDrizzleLoader<Row>({ columns, find, count }: DrizzleListOptions<Row>): LoadList<Row> {
  return createPageLoader({
    find: async ({ where, sort, ...page }) =>
      await find({
        where: toCondition(where, columns),
        orderBy: sort.map((key) => toOrder(key, columns)),
        ...page,
      }),
    count: async (where) => await count(toCondition(where, columns)),
  })
}

type Columns = DrizzleListOptions<never>['columns']

const comparisons = { eq, lt, lte, gt, gte }

/** Values are always bound parameters. */
function toCondition(predicate: Predicate, columns: Columns): SQL {
  if ('of' in predicate) {
    const parts = predicate.of.map((part) => toCondition(part, columns))
    return (predicate.op === 'and' ? and(...parts, sql`1 = 1`) : or(...parts, sql`1 = 0`)) as SQL
  }
  if ('fields' in predicate) {
    const fields = predicate.fields.map((field) => getColumn(field, columns))
    const values = fields.map((column, index) => sql.param(toValue(predicate.values[index], column), column))
    const operator = sql.raw(predicate.op === 'row-lt' ? '<' : '>')
    return sql`(${sql.join(fields, sql`, `)}) ${operator} (${sql.join(values, sql`, `)})`
  }
  const column = getColumn(predicate.field, columns)
  if ('values' in predicate) {
    const values = predicate.values.map((value) => toValue(value, column))
    return inArray(column, values)
  }
  if (!('value' in predicate)) return predicate.op === 'null' ? isNull(column) : isNotNull(column)
  if (predicate.op === 'contains') {
    const pattern = `%${predicate.value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(${column}) like lower(${pattern}) escape ${sql.raw(String.raw`'\'`)}`
  }
  return comparisons[predicate.op](column, toValue(predicate.value, column))
}

/** Filters of times have RFC 3339 text, and Drizzle accepts only a `Date` for a column of that type. */
const toValue = (value: Scalar | undefined, { dataType }: Column) =>
  typeof value === 'string' && dataType === 'date' ? new Date(value) : value

function toOrder({ field, direction, nullable, nulls }: SortKey, columns: Columns): SQL {
  const order = nullable ? `${direction} nulls ${nulls}` : direction
  return sql`${getColumn(field, columns)} ${sql.raw(order)}`
}

function getColumn(field: string, columns: Columns): Column {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined
  if (column === undefined) throw new TypeError(`The field ${field} has no column`)
  return column
}
