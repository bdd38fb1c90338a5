import { integerOption } from './options.ts'

/** The body of a response with one resource, or with an unpaginated collection. */
export interface DataEnvelope<T> {
  readonly data: T
}

/** The body of an offset-paginated list. */
export interface OffsetEnvelope<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly page: number
    readonly limit: number
    readonly total: number
    /** 0 for an empty list. */
    readonly totalPages: number
  }
}

/** The body of a cursor-paginated list. */
export interface CursorEnvelope<T> {
  readonly data: readonly T[]
  readonly meta: {
    /** A cursor on every page, also on the last: the position after the last row, or the start of an empty page. */
    readonly nextCursor: string
    readonly hasMore: boolean
  }
}

/** The form of a list body: `meta` with `totalPages`, `meta` without `totalPages`, or a bare array. */
export type ListForm = 'full' | 'without-total-pages' | 'bare'

/** The body of an offset-paginated list in a {@link ListForm}. */
export type OffsetBody<T, Form extends ListForm> = Form extends 'full'
  ? OffsetEnvelope<T>
  : Form extends 'bare'
    ? readonly T[]
    : { readonly data: readonly T[]; readonly meta: Omit<OffsetEnvelope<T>['meta'], 'totalPages'> }

/**
 * Wraps a resource, or an array of resources, in `{ data }`.
 *
 * @example
 * ```ts
 * import { dataEnvelope } from '@sallyport/rest'
 *
 * dataEnvelope({ id: '1' }) // { data: { id: '1' } }
 * ```
 */
export function dataEnvelope<T>(data: T): DataEnvelope<T> {
  return { data }
}

/**
 * Wraps one page of an offset-paginated list in `{ data, meta }`.
 *
 * @throws TypeError for an invalid page, limit, total or form
 */
export function offsetEnvelope<T, Form extends ListForm = 'full'>(
  data: readonly T[],
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
  {
    form = 'full' as Form,
  }: {
    /** @default 'full' */
    readonly form?: Form
  } = {},
): OffsetBody<T, Form> {
  integerOption('page', page, 1)
  integerOption('limit', limit, 1)
  integerOption('total', total, 0)
  const wrapped = (): ListBody<T> => {
    switch (form) {
      case 'bare':
        return data
      case 'without-total-pages':
        return { data, meta: { page, limit, total } }
      case 'full':
        return { data, meta: { page, limit, total, totalPages: countPages(total, limit) } }
      default:
        throw new TypeError("form must be 'full', 'without-total-pages' or 'bare'")
    }
  }
  // TypeScript does not narrow a conditional type by a switch over its parameter.
  return wrapped() as OffsetBody<T, Form>
}

type ListBody<T> = OffsetBody<T, 'full'> | OffsetBody<T, 'without-total-pages'> | OffsetBody<T, 'bare'>

/** Wraps one page of a cursor-paginated list in `{ data, meta }`. */
export function cursorEnvelope<T>(
  data: readonly T[],
  meta: { readonly nextCursor: string; readonly hasMore: boolean },
): CursorEnvelope<T> {
  return { data, meta: { nextCursor: meta.nextCursor, hasMore: meta.hasMore } }
}

/** The number of pages of a list; 0 for an empty list. */
export function countPages(total: number, limit: number): number {
  return Math.ceil(total / limit)
}
