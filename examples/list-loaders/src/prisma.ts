import type { LoadList } from '@sallyport/rest'
import { createPageLoader, type Predicate, type SortKey } from '@sallyport/rest/store'

/* eslint-disable @typescript-eslint/no-explicit-any -- any is assignable to the generated types of every model */
/** The `where` of a model. */
export type PrismaWhere = Record<string, any>

/** The arguments of `findMany`. */
export interface PrismaPage {
  where: PrismaWhere
  orderBy: Record<string, any>[]
  skip: number
  take: number
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export interface PrismaListOptions<Row> {
  readonly find: (page: PrismaPage) => PromiseLike<readonly Row[]>
  /** Counts the rows of all pages, for the total of offset pages. */
  readonly count: (where: PrismaWhere) => PromiseLike<number>
}

/**
 * Creates a function that loads the rows for a list query from PostgreSQL.
 *
 * Text is compared by the collation of the database; a search ignores case as `ILIKE`
 * does. Prisma has no row values, so a page after a cursor compares the sort keys one by one.
 */
export function createPrismaLoader<Row>({ find, count }: PrismaListOptions<Row>): LoadList<Row> {
  return createPageLoader({
    find: async ({ where, sort, offset, limit }) =>
      await find({ where: toWhere(where), orderBy: sort.map(toOrder), skip: offset, take: limit }),
    count: async (where) => await count(toWhere(where)),
  })
}

function toWhere(predicate: Predicate): PrismaWhere {
  switch (predicate.op) {
    case 'and':
      return { AND: predicate.of.map(toWhere) }
    case 'or':
      return { OR: predicate.of.map(toWhere) }
    case 'row-lt':
    case 'row-gt': {
      const { fields, values } = predicate
      const operator = predicate.op === 'row-lt' ? 'lt' : 'gt'
      const alternatives = fields.map((field, index) => {
        const equal = fields.slice(0, index).map((name, at) => ({ [name]: values[at] }))
        return { AND: [...equal, { [field]: { [operator]: values[index] } }] }
      })
      // The bound of the first field lets PostgreSQL seek in an index.
      const [first = ''] = fields
      return { [first]: { [`${operator}e`]: values[0] }, OR: alternatives }
    }
    case 'null':
      return { [predicate.field]: null }
    case 'not-null':
      return { [predicate.field]: { not: null } }
    case 'in':
      return { [predicate.field]: { in: predicate.values } }
    case 'contains': {
      // Prisma passes wildcards to ILIKE.
      const contains = predicate.value.replaceAll(/[\\%_]/g, String.raw`\$&`)
      return { [predicate.field]: { contains, mode: 'insensitive' } }
    }
    case 'eq':
      return { [predicate.field]: predicate.value }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { [predicate.field]: { [predicate.op]: predicate.value } }
  }
}

/** Prisma accepts the order of nulls for nullable fields only. */
const toOrder = ({ field, direction, nullable, nulls }: SortKey) => ({
  [field]: nullable ? { sort: direction, nulls } : direction,
})
