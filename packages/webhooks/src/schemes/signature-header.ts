import type { Delivery } from '../ports/delivery.ts'

/** The signatures of a delivery, of which one must be valid, and the time when the same header contains it. */
export interface Presented {
  readonly signatures: readonly string[]
  readonly timestamp?: string
}

/** Reads and writes the signature of a delivery. */
export interface SignatureLocation {
  /** The lower-case names of the headers with the signature; empty for a signature in the body or in the query. */
  readonly names: readonly string[]
  /** The query parameters with the signature. @default none */
  readonly parameters?: readonly string[]
  read(delivery: Delivery): Presented | 'missing' | 'malformed'
  /** Creates a header with one signature. */
  write(signature: string, timestamp: string): Readonly<Record<string, string>>
  /** Writes one signature into the body. */
  writeBody?(body: Uint8Array, signature: string): Uint8Array
  /** Writes one signature into the address. */
  writeUrl?(url: string | undefined, signature: string): string
}

/**
 * Reads one signature with a prefix from each header. Writes the first header only.
 */
export function plainHeader(header: string | readonly string[], prefix: string): SignatureLocation {
  const names = [header].flat().map((name) => name.toLowerCase())
  const [first = ''] = names
  return {
    names,
    read({ headers }) {
      const values = names.map((name) => headers.get(name)).filter((value) => value !== null)
      if (values.length === 0) return 'missing'
      const prefixed = values.filter((value) => value.startsWith(prefix))
      if (prefixed.length === 0) return 'malformed'
      return { signatures: prefixed.map((value) => value.slice(prefix.length)) }
    },
    write: (signature) => ({ [first]: prefix + signature }),
  }
}

/**
 * Numbered headers with one signature each, such as `x-docusign-signature-1` to `x-docusign-signature-100`. One valid
 * signature is enough. A service that removes a key can leave a gap.
 *
 * @param prefix the name of the headers before the number
 * @param count the largest number
 *
 * @example
 * ```ts
 * import { hmac, numberedHeaders } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'base64',
 *   header: numberedHeaders('x-docusign-signature-', 100),
 * })
 * ```
 */
export function numberedHeaders(prefix: string, count: number): SignatureLocation {
  const names = Array.from({ length: count }, (_, index) => `${prefix.toLowerCase()}${index + 1}`)
  return {
    names,
    read({ headers }) {
      const signatures = names.map((name) => headers.get(name)).filter((value) => value !== null)
      return signatures.length > 0 ? { signatures } : 'missing'
    },
    write: (signature) => ({ [`${prefix.toLowerCase()}1`]: signature }),
  }
}

/** More than any service sends while it rotates secrets. */
const maximumFields = 32
const maximumLength = 8192

export interface ListHeaderOptions {
  /** The prefix of each signature, such as `sha256=`. @default '' */
  readonly prefix?: string
  /** Whether the first item is the time. @default false */
  readonly timestamp?: boolean
}

/**
 * A header with a comma list of signatures, or a header that a service sends once per signature. With `timestamp`, the first
 * item is the time. One valid signature is enough.
 *
 * A header is malformed when no item has the prefix, with an empty item, with more than 32 items, and with more than 8192
 * characters. Items without the prefix are ignored.
 *
 * @example
 * ```ts
 * import { hmac, listHeader } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: listHeader('x-mollie-signature', { prefix: 'sha256=' }),
 * })
 * ```
 */
export function listHeader(header: string, options: ListHeaderOptions = {}): SignatureLocation {
  const { prefix = '', timestamp: hasTime = false } = options
  const name = header.toLowerCase()
  return {
    names: [name],
    read({ headers }) {
      const value = headers.get(name)
      if (value === null) return 'missing'
      if (value.length > maximumLength) return 'malformed'
      // A host joins headers of the same name with a comma and a space.
      const items = value.split(/, ?/, maximumFields + 1)
      if (items.length > maximumFields || items.includes('')) return 'malformed'
      const [timestamp = '', ...rest] = hasTime ? items : ['', ...items]
      const signatures = rest
        .filter((item) => item.startsWith(prefix))
        .map((item) => item.slice(prefix.length))
      if (signatures.length === 0) return 'malformed'
      return hasTime ? { signatures, timestamp } : { signatures }
    },
    write: (signature, timestamp) => ({ [name]: `${hasTime ? `${timestamp},` : ''}${prefix}${signature}` }),
  }
}

/** How a service writes named fields into one header. */
export interface StructuredHeaderOptions {
  /** The name of the fields with signatures, such as `v1`. */
  readonly signature: string
  /** The name of the field with the time, such as `t`. */
  readonly timestamp?: string
  /** The separator between fields. @default ',' */
  readonly separator?: string
  /** The divider between a field's name and its value. @default '=' */
  readonly divider?: string
}

/**
 * A header of fields, such as `t=1767225600,v1=…,v1=…`, or a list of signatures, such as `v1=…,v1=…`.
 *
 * Fields can have any order. One valid signature is enough. Other fields are ignored. A header is malformed when the time
 * is missing or repeated, when a field lacks a name, a divider or a value or contains white space or a comma, with more than
 * 32 fields, and with more than 8192 characters.
 *
 * @example
 * ```ts
 * import { hmac, signedTime, structuredHeader } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: structuredHeader('stripe-signature', { timestamp: 't', signature: 'v1' }),
 *   timestamp: signedTime(),
 *   content: ({ timestamp, body }) => [timestamp, '.', body],
 * })
 * ```
 */
export function structuredHeader(header: string, options: StructuredHeaderOptions): SignatureLocation {
  const { separator = ',', divider = '=' } = options
  const name = header.toLowerCase()
  return {
    names: [name],
    read({ headers }) {
      const value = headers.get(name)
      if (value === null) return 'missing'
      if (value.length > maximumLength) return 'malformed'
      const fields = value.split(separator, maximumFields + 1)
      if (fields.length > maximumFields) return 'malformed'
      const signatures: string[] = []
      let timestamp: string | undefined
      for (const field of fields) {
        const at = field.indexOf(divider)
        const key = field.slice(0, Math.max(at, 0))
        const text = field.slice(at + divider.length)
        if (!namePattern.test(key) || text === '' || seamPattern.test(text)) return 'malformed'
        if (key === options.signature) signatures.push(text)
        else if (key === options.timestamp) {
          if (timestamp !== undefined) return 'malformed'
          timestamp = text
        }
      }
      if (signatures.length === 0) return 'malformed'
      if (options.timestamp === undefined) return { signatures }
      return timestamp === undefined ? 'malformed' : { signatures, timestamp }
    },
    write(signature, timestamp) {
      const field = options.signature + divider + signature
      const time = options.timestamp === undefined ? '' : options.timestamp + divider + timestamp + separator
      return { [name]: time + field }
    },
  }
}

const namePattern = /^[\w-]+$/

/** A host joins two headers of the same name with a comma or white space. */
const seamPattern = /[\s,]/
