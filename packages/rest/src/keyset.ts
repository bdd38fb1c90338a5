import { allOf, anyOf, type Predicate } from './predicate.ts'
import { scalarOf, type Scalar } from './scalar.ts'
import type { SortKey } from './sort.ts'

/** Where a reader stands in a sorted list: the values of the sort keys of the last row that was read. */
export type Position = readonly (Scalar | null)[]

/** Where a cursor page lies: at the start of a list or at its end, or next to a row that was seen. */
export type CursorPlace =
  { readonly at: 'start' | 'end' } | { readonly at: 'after' | 'before'; readonly position: Position }

/**
 * The position of a row in a sort order.
 *
 * The values have to be exactly those that the store compares: a `timestamptz` that the driver cuts to
 * milliseconds makes rows of the same millisecond be skipped or repeated, so store it as `timestamptz(3)`.
 *
 * @throws TypeError when a key that is not nullable holds null, or a value has no order
 */
export function positionOf(row: object, sort: readonly SortKey[]): Position {
  return sort.map((key) => {
    const value = scalarOf(row, key.field)
    if (value === null && !key.nullable) {
      throw new TypeError(`The sort key ${key.field} holds null: declare it nullable`)
    }
    return value
  })
}

/**
 * The predicate that holds for exactly the rows after a position: keyset pagination.
 *
 * Exact with mixed directions, ties and nulls, as long as the sort ends in a unique key. Keys of one direction that are
 * not nullable are compared as a row, which a database seeks in an index at once. Of others, the first key bounds the
 * whole predicate when it is not nullable, so that the index on it is sought in.
 *
 * @example
 * ```ts
 * import { keysetAfter } from '@sallyport/rest'
 *
 * const id = { field: 'id', direction: 'asc', nullable: false, nulls: 'last' } as const
 * keysetAfter([id], [41]) // { op: 'gt', field: 'id', value: 41 }
 * ```
 */
export function keysetAfter(sort: readonly SortKey[], position: Position): Predicate {
  if (position.length !== sort.length) throw new TypeError('A position has one value for each sort key')
  const row = rowAfter(sort, position)
  if (row !== undefined) return row
  const bound = leadingBound(sort, position)
  const alternatives: Predicate[] = []
  const equal: Predicate[] = []
  sort.forEach((key, index) => {
    const value = position[index] ?? null
    const after = keyAfter(key, value)
    if (after !== undefined) alternatives.push(allOf(...equal, after))
    // Within the bound, a first key that is not after the value equals it.
    if (index > 0 || bound === undefined) equal.push(equals(key.field, value))
  })
  return bound === undefined ? anyOf(...alternatives) : allOf(bound, anyOf(...alternatives))
}

function rowAfter(sort: readonly SortKey[], position: Position): Predicate | undefined {
  const direction = sort[0]?.direction
  const isUniform = sort.every((key) => !key.nullable && key.direction === direction)
  const values = position.filter((value) => value !== null)
  if (!isUniform || sort.length < 2 || values.length < sort.length) return undefined
  return { op: direction === 'asc' ? 'row-gt' : 'row-lt', fields: sort.map(({ field }) => field), values }
}

function equals(field: string, value: Scalar | null): Predicate {
  return value === null ? { op: 'null', field } : { op: 'eq', field, value }
}

/** The rows whose key is after the value, or nothing when none can be. */
function keyAfter(key: SortKey, value: Scalar | null): Predicate | undefined {
  const { field } = key
  if (value === null) return key.nulls === 'first' ? { op: 'not-null', field } : undefined
  const beyond: Predicate = { op: key.direction === 'asc' ? 'gt' : 'lt', field, value }
  return key.nullable && key.nulls === 'last' ? anyOf(beyond, { op: 'null', field }) : beyond
}

function leadingBound(sort: readonly SortKey[], position: Position): Predicate | undefined {
  const [key] = sort
  const value = position[0] ?? null
  if (key === undefined || sort.length < 2 || value === null || key.nullable) return undefined
  return { op: key.direction === 'asc' ? 'gte' : 'lte', field: key.field, value }
}
