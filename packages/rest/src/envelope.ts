import { integerOption } from './options.ts'

/** The body of a response with one resource, or with a collection that is not paginated. */
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
    /** 0 when there is nothing. */
    readonly totalPages: number
  }
}

/** The body of a cursor-paginated list. */
export interface CursorEnvelope<T> {
  readonly data: readonly T[]
  readonly meta: {
    /** Always a cursor: the position after the last row, or of an empty page its start. */
    readonly nextCursor: string
    readonly hasMore: boolean
  }
}

/**
 * The form of a list: with its `meta`, with a `meta` that leaves `totalPages` out, or as a bare array.
 */
export type ListForm = 'full' | 'without-total-pages' | 'bare'

/** The body of an offset-paginated list in a {@link ListForm}. */
export type OffsetBody<T, Form extends ListForm> = Form extends 'full'
  ? OffsetEnvelope<T>
  : Form extends 'bare'
    ? readonly T[]
    : { readonly data: readonly T[]; readonly meta: Omit<OffsetEnvelope<T>['meta'], 'totalPages'> }

/**
 * Wraps a resource, or an array of resources.
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
 * Wraps one page of an offset-paginated list.
 *
 * @throws TypeError for a page, a limit, a total or a form that is none
 *
 * @example
 * ```ts
 * import { offsetEnvelope } from '@sallyport/rest'
 *
 * offsetEnvelope(['a', 'b'], { page: 1, limit: 2, total: 5 }).meta.totalPages // 3
 * ```
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
        return { data, meta: { page, limit, total, totalPages: totalPagesOf(total, limit) } }
      default:
        throw new TypeError('form must be full, without-total-pages or bare')
    }
  }
  // A conditional type is not narrowed by a switch over the value that it depends on.
  return wrapped() as OffsetBody<T, Form>
}

type ListBody<T> = OffsetBody<T, 'full'> | OffsetBody<T, 'without-total-pages'> | OffsetBody<T, 'bare'>

/** Wraps one page of a cursor-paginated list. */
export function cursorEnvelope<T>(
  data: readonly T[],
  meta: { readonly nextCursor: string; readonly hasMore: boolean },
): CursorEnvelope<T> {
  return { data, meta: { nextCursor: meta.nextCursor, hasMore: meta.hasMore } }
}

/** The number of pages of a list; 0 of an empty one. */
export function totalPagesOf(total: number, limit: number): number {
  return Math.ceil(total / limit)
}
