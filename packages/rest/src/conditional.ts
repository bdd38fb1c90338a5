import { SallyportError } from '@sallyport/errors'
import { parseETags } from './etag.ts'

export interface ConditionalRequest {
  readonly method: string
  /** The value of `If-Match`. */
  readonly ifMatch?: string | undefined
  /** The value of `If-None-Match`. */
  readonly ifNoneMatch?: string | undefined
  /** The ETag of the current representation; absent when there is none. */
  readonly etag?: string | undefined
}

/**
 * Evaluates the preconditions of a request, in the order of RFC 9110 section 13.2.2.
 *
 * `If-Match` compares strongly: a weak tag never matches. `If-None-Match` compares weakly. Evaluate inside the
 * transaction that changes the resource, or two writers can both be told that their tag is current.
 *
 * @returns `'not-modified'` when a GET or HEAD is answered 304 with the ETag and no body, else `'proceed'`
 * @throws SallyportError `PRECONDITION_FAILED` (412); `BAD_REQUEST` (400) for a header that guards a change and
 * cannot be read
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13
 *
 * @example
 * ```ts
 * import { checkPreconditions } from '@sallyport/rest'
 *
 * checkPreconditions({ method: 'GET', ifNoneMatch: 'W/"7", "8"', etag: '"7"' }) // 'not-modified'
 * ```
 */
export function checkPreconditions({
  method,
  ifMatch,
  ifNoneMatch,
  etag,
}: ConditionalRequest): 'proceed' | 'not-modified' {
  if (ifMatch !== undefined && !strongMatch(read('If-Match', ifMatch), etag)) throw failed()
  if (ifNoneMatch === undefined) return 'proceed'

  const reading = method === 'GET' || method === 'HEAD'
  // A reader whose tag cannot be read loses nothing by being given the representation.
  if (reading && parseETags(ifNoneMatch) === undefined) return 'proceed'
  if (!weakMatch(read('If-None-Match', ifNoneMatch), etag)) return 'proceed'
  if (reading) return 'not-modified'
  throw failed()
}

function read(header: string, value: string): readonly string[] | '*' {
  const tags = parseETags(value)
  if (tags === undefined) throw new SallyportError('BAD_REQUEST', `${header} is no list of entity tags`)
  return tags
}

function strongMatch(tags: readonly string[] | '*', etag: string | undefined): boolean {
  if (etag === undefined) return false
  return tags === '*' || (!etag.startsWith('W/') && tags.includes(etag))
}

function weakMatch(tags: readonly string[] | '*', etag: string | undefined): boolean {
  if (etag === undefined) return false
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}

function failed(): SallyportError {
  const message = 'The resource is not as the precondition says; read it again'
  return new SallyportError('PRECONDITION_FAILED', message)
}
