import { compareScalars, scalarOf, type Scalar } from './scalar.ts'

/**
 * A condition on a row, as plain data, so that any store can evaluate it.
 *
 * An empty `and` holds always, an empty `or` never. Comparisons with a null field do not hold, as in SQL.
 */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly op: ComparisonOperator; readonly field: string; readonly value: Scalar }
  | {
      /** The fields, one by one, against the values: the first that differs decides. None of them may be null. */
      readonly op: RowOperator
      readonly fields: readonly string[]
      readonly values: readonly Scalar[]
    }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'null' | 'not-null'; readonly field: string }
  | {
      /** Case-insensitive substring; no character of the value is a wildcard. */
      readonly op: 'contains'
      readonly field: string
      readonly value: string
    }

export type ComparisonOperator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'

export type RowOperator = 'row-lt' | 'row-gt'

/**
 * Holds when every one of the predicates does.
 *
 * @example
 * ```ts
 * import { allOf } from '@sallyport/rest'
 *
 * const own = allOf({ op: 'eq', field: 'owner_id', value: 'u1' }, { op: 'null', field: 'archived_at' })
 * ```
 */
export function allOf(...predicates: readonly Predicate[]): Predicate {
  const parts = predicates.filter((part) => part.op !== 'and' || part.of.length > 0)
  const [first] = parts
  return parts.length === 1 && first ? first : { op: 'and', of: parts }
}

/** Holds when any one of the predicates does; none of none. */
export function anyOf(...predicates: readonly Predicate[]): Predicate {
  const [first] = predicates
  return predicates.length === 1 && first ? first : { op: 'or', of: predicates }
}

/**
 * Whether a row satisfies a predicate.
 *
 * @example
 * ```ts
 * import { matches } from '@sallyport/rest'
 *
 * matches({ op: 'gt', field: 'age', value: 17 }, { age: 18 }) // true
 * ```
 */
export function matches(predicate: Predicate, row: object): boolean {
  switch (predicate.op) {
    case 'and':
      return predicate.of.every((part) => matches(part, row))
    case 'or':
      return predicate.of.some((part) => matches(part, row))
    case 'null':
      return scalarOf(row, predicate.field) === null
    case 'not-null':
      return scalarOf(row, predicate.field) !== null
    case 'contains': {
      const value = scalarOf(row, predicate.field)
      return typeof value === 'string' && foldCase(value).includes(foldCase(predicate.value))
    }
    case 'in': {
      const value = scalarOf(row, predicate.field)
      return value !== null && predicate.values.some((candidate) => compareScalars(value, candidate) === 0)
    }
    case 'row-lt':
    case 'row-gt': {
      const order = compareRow(row, predicate.fields, predicate.values)
      return predicate.op === 'row-lt' ? order < 0 : order > 0
    }
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const value = scalarOf(row, predicate.field)
      return value !== null && holds[predicate.op](compareScalars(value, predicate.value))
    }
  }
}

// A sigma has two lower cases: which of them depends on whether a word ends behind it, and a part of one may.
const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

/** The order of a row and values; 0 also where a null field leaves it open, as in SQL. */
function compareRow(row: object, fields: readonly string[], values: readonly Scalar[]): number {
  for (const [index, field] of fields.entries()) {
    const value = scalarOf(row, field)
    const other = values[index]
    if (value === null || other === undefined) return 0
    const order = compareScalars(value, other)
    if (order !== 0) return order
  }
  return 0
}

const holds: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
}
