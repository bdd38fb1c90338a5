import { hash } from 'node:crypto'

/** A strong entity tag, with its quotes: RFC 9110 section 8.8.3. */
export type ETag = `"${string}"`

/**
 * A strong ETag from the version of a resource and whatever else decides its bytes, such as `fields`.
 *
 * @throws TypeError for a version that is none
 *
 * @example
 * ```ts
 * import { etagOfVersion } from '@sallyport/rest'
 *
 * etagOfVersion(7) // '"7"'
 * etagOfVersion(7, 'id,name') // '"7:id%2Cname"'
 * ```
 */
export function etagOfVersion(version: string | number | bigint, ...variant: readonly string[]): ETag {
  // All that have none would share one tag.
  if (typeof version !== 'string' && typeof version !== 'bigint' && !Number.isFinite(version))
    throw new TypeError('version must be a text or a number')
  // What encodeURIComponent leaves is a subset of etagc, and holds no colon.
  return `"${[String(version), ...variant].map(encodeURIComponent).join(':')}"`
}

/**
 * A strong ETag from the bytes of a representation: 128 bits of their SHA-256.
 *
 * @example
 * ```ts
 * import { etagOfBytes } from '@sallyport/rest'
 *
 * const etag = etagOfBytes(JSON.stringify({ data: [] }))
 * ```
 */
export function etagOfBytes(bytes: Uint8Array | string): ETag {
  return `"${hash('sha256', bytes, 'buffer').toString('base64url', 0, 16)}"`
}

/** The entity tags of a header, `'*'`, or `undefined` when it is neither. */
export function parseETags(header: string): readonly string[] | '*' | undefined {
  const text = header.trim()
  if (text === '*') return '*'
  const tags: string[] = []
  // RFC 9110 section 5.6.1: a recipient accepts empty elements of a list.
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y
  while (element.lastIndex < text.length) {
    const match = element.exec(text)
    if (match === null) return undefined
    if (match[1] !== undefined) tags.push(match[1])
  }
  return tags.length === 0 ? undefined : tags
}
