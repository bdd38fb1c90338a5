import { SallyportError } from '@sallyport/errors'
import { hash } from 'node:crypto'

export interface ConditionalRequest {
  readonly method: string
  /** The value of `If-Match`. */
  readonly ifMatch?: string | undefined
  /** The value of `If-None-Match`. */
  readonly ifNoneMatch?: string | undefined
  /** The ETag of the current representation; absent without a representation. */
  readonly etag?: string | undefined
}

/**
 * Evaluates the preconditions of a request, in the order of RFC 9110 section 13.2.2.
 *
 * `If-Match` compares strongly: a weak tag never matches. `If-None-Match` compares weakly. Call it inside the transaction
 * that changes the resource; otherwise two concurrent writers can both pass with the same tag.
 *
 * @returns `'not-modified'` when a GET or HEAD is answered 304 with the ETag and without a body, else `'proceed'`
 * @throws SallyportError `PRECONDITION_FAILED` (412); `BAD_REQUEST` (400) for a malformed header on a request that
 * changes the resource
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
  if (ifMatch !== undefined && !strongMatch(read('If-Match', ifMatch), etag)) throw preconditionFailed()
  if (ifNoneMatch === undefined) return 'proceed'

  const reading = method === 'GET' || method === 'HEAD'
  // A GET with a malformed header is answered with the full representation.
  if (reading && parseETags(ifNoneMatch) === undefined) return 'proceed'
  if (!weakMatch(read('If-None-Match', ifNoneMatch), etag)) return 'proceed'
  if (reading) return 'not-modified'
  throw preconditionFailed()
}

function read(header: string, value: string): readonly string[] | '*' {
  const tags = parseETags(value)
  if (tags === undefined) throw new SallyportError('BAD_REQUEST', `${header} is not a list of entity tags`)
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

function preconditionFailed(): SallyportError {
  const message = 'The precondition does not match the current resource; read the resource again'
  return new SallyportError('PRECONDITION_FAILED', message)
}

/** A strong entity tag, with its quotes: RFC 9110 section 8.8.3. */
export type ETag = `"${string}"`

/**
 * Formats a strong ETag from the version of a resource and from other inputs of its representation, such as `fields`.
 *
 * @throws TypeError for a version that is not a string, a bigint or a finite number
 *
 * @example
 * ```ts
 * import { formatETag } from '@sallyport/rest'
 *
 * formatETag(7) // '"7"'
 * formatETag(7, 'id,name') // '"7:id%2Cname"'
 * ```
 */
export function formatETag(version: string | number | bigint, ...variant: readonly string[]): ETag {
  // Without this check, all resources with an undefined version would share one ETag.
  if (typeof version !== 'string' && typeof version !== 'bigint' && !Number.isFinite(version))
    throw new TypeError('version must be a string or a finite number')
  // encodeURIComponent leaves a subset of etagc without colons.
  return `"${[String(version), ...variant].map(encodeURIComponent).join(':')}"`
}

/**
 * Computes a strong ETag from the bytes of a representation: 128 bits of their SHA-256.
 *
 * @example
 * ```ts
 * import { hashETag } from '@sallyport/rest'
 *
 * const etag = hashETag(JSON.stringify({ data: [] }))
 * ```
 */
export function hashETag(bytes: Uint8Array | string): ETag {
  return `"${hash('sha256', bytes, 'buffer').toString('base64url', 0, 16)}"`
}

/** Parses a header into entity tags or `'*'`; `undefined` for a malformed header. */
export function parseETags(header: string): readonly string[] | '*' | undefined {
  const text = header.trim()
  if (text === '*') return '*'
  const tags: string[] = []
  // RFC 9110 section 5.6.1: a recipient accepts empty list elements.
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y
  while (element.lastIndex < text.length) {
    const match = element.exec(text)
    if (match === null) return undefined
    if (match[1] !== undefined) tags.push(match[1])
  }
  return tags.length === 0 ? undefined : tags
}
