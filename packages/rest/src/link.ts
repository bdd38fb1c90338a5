import { totalPagesOf } from './envelope.ts'
import { integerOption } from './options.ts'
import { defaultMaxOffset, lastReadablePage } from './page-bound.ts'
import type { PageCursors } from './page.ts'

/** The address of a list, as links to its pages are made from it. */
export interface ListAddress {
  /** Absolute, or a path: a relative reference is resolved against the request's address. */
  readonly url: string
  /** The query that the list was read with. */
  readonly query: string | URLSearchParams
}

/**
 * The `Link` header of an offset page: first, prev, next and last, as far as they exist and can be asked for.
 *
 * @throws TypeError for a `maxOffset` that is no positive integer
 * @see https://www.rfc-editor.org/rfc/rfc8288
 *
 * @example
 * ```ts
 * import { offsetLinks } from '@sallyport/rest'
 *
 * offsetLinks({ url: '/api/v1/users', query: 'limit=2' }, { page: 1, limit: 2, total: 3 })
 * // </api/v1/users?limit=2&page=1>; rel="first", </api/v1/users?limit=2&page=2>; rel="next", …
 * ```
 */
export function offsetLinks(
  address: ListAddress,
  {
    page,
    limit,
    total,
    maxOffset = defaultMaxOffset,
  }: {
    readonly page: number
    readonly limit: number
    readonly total: number
    /** That of the list query: what lies beyond cannot be asked for, and is not linked to. @default 10_000_000 */
    readonly maxOffset?: number
  },
): string {
  const last = Math.max(1, totalPagesOf(total, limit))
  const readable = lastReadablePage(limit, integerOption('maxOffset', maxOffset, 1))
  const link = linksOf(address, 'page')
  const to = (rel: string, target: number) => link(rel, String(target))
  return [
    to('first', 1),
    // From beyond the end, back into the list.
    ...(page > 1 ? [to('prev', Math.max(1, Math.min(page - 1, last, readable)))] : []),
    ...(page < Math.min(last, readable) ? [to('next', page + 1)] : []),
    // Another page is not the last one: who asks for the end is rather told nothing than sent to the middle.
    ...(last <= readable ? [to('last', last)] : []),
  ].join(', ')
}

/**
 * The `Link` header of a cursor page: first, prev, next and last, as far as they exist.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288
 *
 * @example
 * ```ts
 * import { cursorLinks } from '@sallyport/rest'
 *
 * cursorLinks({ url: '/api/v1/events', query: '' }, { next: 'abc', last: 'xyz' })
 * // </api/v1/events?cursor=>; rel="first", </api/v1/events?cursor=abc>; rel="next", …
 * ```
 */
export function cursorLinks(address: ListAddress, { prev, next, last }: PageCursors): string {
  const to = linksOf(address, 'cursor')
  return [
    to('first', ''),
    ...(prev === undefined ? [] : [to('prev', prev)]),
    ...(next === undefined ? [] : [to('next', next)]),
    to('last', last),
  ].join(', ')
}

/** Links that differ in one parameter; the query, which may hold a long cursor, is read once for all of them. */
function linksOf({ url, query }: ListAddress, parameter: string): (rel: string, value: string) => string {
  const parameters = new URLSearchParams(query)
  const limit = parameters.get('limit')
  // Zeros in front may be as many as a query has room for, and a header has less for its links.
  if (limit !== null) parameters.set('limit', limit.replace(/^0+(?=[0-9])/, ''))
  // What ends the reference early, or the header, does not belong in an address anyway.
  const target = url.replaceAll(/[^\x21-\x7e]|["<>]/gu, (character) =>
    encodeURIComponent(character.toWellFormed()),
  )
  return (rel, value) => {
    parameters.set(parameter, value)
    return `<${target}?${parameters.toString()}>; rel="${rel}"`
  }
}
