import { andPredicates, orPredicates, type Predicate } from './predicate.ts'
import { getScalar, type Scalar } from './scalar.ts'
import type { SortKey } from './sort.ts'

/** The values of the sort keys of one row: a position in a sorted list. */
export type CursorPosition = readonly (Scalar | null)[]

/** The start of a cursor page: one end of the list, or a position that the page follows or precedes. */
export type CursorAnchor =
  { readonly at: 'start' | 'end' } | { readonly at: 'after' | 'before'; readonly position: CursorPosition }

/**
 * The key of the values of a row by field, which a loader sets if the driver rounds them. Of the global registry, because each
 * entry of this package may have a copy of this module.
 */
export const exactValues = Symbol.for('sallyport.exactValues')

interface ExactRow {
  readonly [exactValues]?: Readonly<Record<string, string | null>>
}

/**
 * Reads the position of a row in a sort order.
 *
 * The values must be exactly the values that the store compares. If the driver truncates a `timestamptz` to
 * milliseconds, pages skip or repeat rows of the same millisecond; use `timestamptz(3)`, or `createListLoader` of
 * `@sallyport/rest/kysely`.
 *
 * @throws TypeError when a key that is not nullable holds null, or a value is not a scalar
 */
export function getCursorPosition(row: object, sort: readonly SortKey[]): CursorPosition {
  const { [exactValues]: exact } = row as ExactRow
  return sort.map((key) => {
    const value = exact === undefined ? getScalar(row, key.field) : (exact[key.field] ?? null)
    if (value === null && !key.nullable) {
      throw new TypeError(`The sort key ${key.field} holds null: declare it nullable`)
    }
    return value
  })
}

/**
 * Builds the predicate of keyset pagination: it holds for exactly the rows after a position.
 *
 * The predicate is exact for mixed directions, ties and nulls, as long as the sort ends in a unique key. Non-nullable keys
 * of one direction are compared as a row value, which a database resolves with one index seek. For other sorts, a
 * non-nullable first key bounds the whole predicate so that the database can seek in its index.
 *
 * @example
 * ```ts
 * import { keysetAfter } from '@sallyport/rest/store'
 *
 * const id = { field: 'id', direction: 'asc', nullable: false, nulls: 'last' } as const
 * keysetAfter([id], [41]) // { op: 'gt', field: 'id', value: 41 }
 * ```
 */
export function keysetAfter(sort: readonly SortKey[], position: CursorPosition): Predicate {
  if (position.length !== sort.length) throw new TypeError('position must have one value for each sort key')
  const row = rowAfter(sort, position)
  if (row !== undefined) return row
  const bound = leadingBound(sort, position)
  const alternatives: Predicate[] = []
  const equal: Predicate[] = []
  sort.forEach((key, index) => {
    const value = position[index] ?? null
    const after = keyAfter(key, value)
    if (after !== undefined) alternatives.push(andPredicates(...equal, after))
    // Within the bound, a first key that is not after the value equals the value.
    if (index > 0 || bound === undefined) equal.push(equals(key.field, value))
  })
  return bound === undefined
    ? orPredicates(...alternatives)
    : andPredicates(bound, orPredicates(...alternatives))
}

function rowAfter(sort: readonly SortKey[], position: CursorPosition): Predicate | undefined {
  const direction = sort[0]?.direction
  const isUniform = sort.every((key) => !key.nullable && key.direction === direction)
  const values = position.filter((value) => value !== null)
  if (!isUniform || sort.length < 2 || values.length < sort.length) return undefined
  return { op: direction === 'asc' ? 'row-gt' : 'row-lt', fields: sort.map(({ field }) => field), values }
}

function equals(field: string, value: Scalar | null): Predicate {
  return value === null ? { op: 'null', field } : { op: 'eq', field, value }
}

/** The condition that a key is after a value; `undefined` when no row can be. */
function keyAfter(key: SortKey, value: Scalar | null): Predicate | undefined {
  const { field } = key
  if (value === null) return key.nulls === 'first' ? { op: 'not-null', field } : undefined
  const beyond: Predicate = { op: key.direction === 'asc' ? 'gt' : 'lt', field, value }
  return key.nullable && key.nulls === 'last' ? orPredicates(beyond, { op: 'null', field }) : beyond
}

function leadingBound(sort: readonly SortKey[], position: CursorPosition): Predicate | undefined {
  const [key] = sort
  const value = position[0] ?? null
  if (key === undefined || sort.length < 2 || value === null || key.nullable) return undefined
  return { op: key.direction === 'asc' ? 'gte' : 'lte', field: key.field, value }
}
