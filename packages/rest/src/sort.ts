import { compareScalars, getScalar } from './scalar.ts'

/** One key of a sort order. */
export interface SortKey<Field extends string = string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
  /** Whether rows may hold null. A non-nullable key gets a shorter predicate that uses an index. */
  readonly nullable: boolean
  /** The place of null values, independent of the direction. */
  readonly nulls: 'first' | 'last'
}

/** The properties of a sortable field. */
export interface SortableField {
  /** @default false */
  readonly nullable?: boolean
  /**
   * The place of null values, independent of the direction.
   *
   * @default 'last'
   */
  readonly nulls?: 'first' | 'last'
}

/**
 * Creates a comparator for `Array.prototype.sort` that orders rows by the keys of a sort.
 *
 * @example
 * ```ts
 * import { compareRowsBy } from '@sallyport/rest/store'
 *
 * const key = { field: 'name', direction: 'asc', nullable: false, nulls: 'last' } as const
 * const rows = [{ name: 'b' }, { name: 'a' }].sort(compareRowsBy([key]))
 * ```
 */
export function compareRowsBy(sort: readonly SortKey[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const key of sort) {
      const order = compareKey(key, a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Reverses a sort order. */
export function reverseSort<Field extends string>(
  sort: readonly SortKey<Field>[],
): readonly SortKey<Field>[] {
  return sort.map((key) => ({
    ...key,
    direction: key.direction === 'asc' ? 'desc' : 'asc',
    nulls: key.nulls === 'first' ? 'last' : 'first',
  }))
}

function compareKey(key: SortKey, a: object, b: object): number {
  const left = getScalar(a, key.field)
  const right = getScalar(b, key.field)
  if (left === null || right === null) {
    if (left === right) return 0
    return (left === null) === (key.nulls === 'first') ? -1 : 1
  }
  const order = compareScalars(left, right)
  return key.direction === 'asc' ? order : -order
}
