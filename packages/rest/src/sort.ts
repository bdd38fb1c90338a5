import { compareScalars, scalarOf } from './scalar.ts'

/** One key of a sort order. */
export interface SortKey<Field extends string = string> {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
  /** Whether rows may hold null here; a key that says no gets the shorter, index-friendly predicate. */
  readonly nullable: boolean
  /** Where rows without a value go, whatever the direction. */
  readonly nulls: 'first' | 'last'
}

/** What a list may be sorted by, for one field. */
export interface SortableField {
  /** @default false */
  readonly nullable?: boolean
  /**
   * Where rows without a value go, whatever the direction.
   *
   * @default 'last'
   */
  readonly nulls?: 'first' | 'last'
}

/**
 * A comparator for `Array.prototype.sort` that orders rows by the keys of a sort.
 *
 * @example
 * ```ts
 * import { compareBy } from '@sallyport/rest'
 *
 * const key = { field: 'name', direction: 'asc', nullable: false, nulls: 'last' } as const
 * const rows = [{ name: 'b' }, { name: 'a' }].sort(compareBy([key]))
 * ```
 */
export function compareBy(sort: readonly SortKey[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const key of sort) {
      const order = compareKey(key, a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** The same order, read from its end. */
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
  const left = scalarOf(a, key.field)
  const right = scalarOf(b, key.field)
  if (left === null || right === null) {
    if (left === right) return 0
    return (left === null) === (key.nulls === 'first') ? -1 : 1
  }
  const order = compareScalars(left, right)
  return key.direction === 'asc' ? order : -order
}
