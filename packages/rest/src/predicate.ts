import { compareScalars, getScalar, type Scalar } from './scalar.ts'

/**
 * A condition on a row as plain data, so that any store can evaluate it.
 *
 * An empty `and` is always true, an empty `or` never. A comparison with a null field is false, as in SQL.
 */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly op: ComparisonOperator; readonly field: string; readonly value: Scalar }
  | {
      /** Compares the fields with the values in order; the first difference decides. No field may be null. */
      readonly op: RowOperator
      readonly fields: readonly string[]
      readonly values: readonly Scalar[]
    }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'null' | 'not-null'; readonly field: string }
  | {
      /** Case-insensitive substring without wildcards. */
      readonly op: 'contains'
      readonly field: string
      readonly value: string
    }

export type ComparisonOperator = 'eq' | 'lt' | 'lte' | 'gt' | 'gte'

type RowOperator = 'row-lt' | 'row-gt'

/** Combines predicates with AND. */
export function andPredicates(...predicates: readonly Predicate[]): Predicate {
  const parts = predicates.filter((part) => part.op !== 'and' || part.of.length > 0)
  const [first] = parts
  return parts.length === 1 && first ? first : { op: 'and', of: parts }
}

/** Combines predicates with OR; without predicates the result is always false. */
export function orPredicates(...predicates: readonly Predicate[]): Predicate {
  const [first] = predicates
  return predicates.length === 1 && first ? first : { op: 'or', of: predicates }
}

/**
 * Whether a row satisfies a predicate.
 *
 * @example
 * ```ts
 * import { matchesPredicate } from '@sallyport/rest/store'
 *
 * matchesPredicate({ op: 'gt', field: 'age', value: 17 }, { age: 18 }) // true
 * ```
 */
export function matchesPredicate(predicate: Predicate, row: object): boolean {
  switch (predicate.op) {
    case 'and':
      return predicate.of.every((part) => matchesPredicate(part, row))
    case 'or':
      return predicate.of.some((part) => matchesPredicate(part, row))
    case 'null':
      return getScalar(row, predicate.field) === null
    case 'not-null':
      return getScalar(row, predicate.field) !== null
    case 'contains': {
      const value = getScalar(row, predicate.field)
      return typeof value === 'string' && foldCase(value).includes(foldCase(predicate.value))
    }
    case 'in': {
      const value = getScalar(row, predicate.field)
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
      const value = getScalar(row, predicate.field)
      return value !== null && holds[predicate.op](compareScalars(value, predicate.value))
    }
  }
}

// Sigma has two lower-case forms, and the form depends on the end of the word, which a substring may cut.
const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

/** Compares a row with values. Returns 0 also when a null field leaves the order undefined, as in SQL. */
function compareRow(row: object, fields: readonly string[], values: readonly Scalar[]): number {
  for (const [index, field] of fields.entries()) {
    const value = getScalar(row, field)
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
