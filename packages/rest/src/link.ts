import { countPages } from './envelope.ts'
import { integerOption } from './options.ts'
import { defaultMaxOffset, lastReadablePage, type PageCursors } from './page.ts'

/** The address of a list, for links to its pages. */
export interface ListAddress {
  /** An absolute URL or a path. A client resolves a path against the address of the request. */
  readonly url: string
  /** The query string of the request. */
  readonly query: string | URLSearchParams
}

/**
 * Formats the `Link` header of an offset page: the existing and readable pages of first, prev, next and last.
 *
 * @throws TypeError for a `maxOffset` that is not a positive integer
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function formatOffsetLinks(
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
    /** `maxOffset` of the list query. Pages over it get no link. @default 10_000_000 */
    readonly maxOffset?: number
  },
): string {
  const last = Math.max(1, countPages(total, limit))
  const readable = lastReadablePage(limit, integerOption('maxOffset', maxOffset, 1))
  const link = createLinkFormatter(address, 'page')
  const to = (rel: string, target: number) => link(rel, String(target))
  return [
    to('first', 1),
    // From a page past the end, prev leads to the last page.
    ...(page > 1 ? [to('prev', Math.max(1, Math.min(page - 1, last, readable)))] : []),
    ...(page < Math.min(last, readable) ? [to('next', page + 1)] : []),
    // Without a readable last page, rel="last" would point to a page in the middle.
    ...(last <= readable ? [to('last', last)] : []),
  ].join(', ')
}

/**
 * Formats the `Link` header of a cursor page: the existing pages of first, prev, next and last.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function formatCursorLinks(address: ListAddress, { prev, next, last }: PageCursors): string {
  const to = createLinkFormatter(address, 'cursor')
  return [
    to('first', ''),
    ...(prev === undefined ? [] : [to('prev', prev)]),
    ...(next === undefined ? [] : [to('next', next)]),
    to('last', last),
  ].join(', ')
}

/** Formats links that differ in one parameter. Parses the query once because it may hold a long cursor. */
function createLinkFormatter(
  { url, query }: ListAddress,
  parameter: string,
): (rel: string, value: string) => string {
  const parameters = new URLSearchParams(query)
  const limit = parameters.get('limit')
  // Leading zeros can fill the query up to its limit, but headers have lower limits.
  if (limit !== null) parameters.set('limit', limit.replace(/^0+(?=[0-9])/, ''))
  // Encodes characters that would end the reference or the header.
  const target = url.replaceAll(/[^\x21-\x7e]|["<>]/gu, (character) =>
    encodeURIComponent(character.toWellFormed()),
  )
  return (rel, value) => {
    parameters.set(parameter, value)
    return `<${target}?${parameters.toString()}>; rel="${rel}"`
  }
}
