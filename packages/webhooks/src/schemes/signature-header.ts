import type { DeliveryHeaders } from '../ports/delivery.ts'

/** What a delivery presents: signatures of which any may hold, and the time where the same header carries it. */
export interface Presented {
  readonly signatures: readonly string[]
  readonly timestamp?: string
}

/** How signatures are written into headers. */
export interface SignatureHeader {
  /** Lower-case names of the headers that they may be in. */
  readonly names: readonly string[]
  read(headers: DeliveryHeaders): Presented | 'missing' | 'malformed'
  /** A header with one signature, without what stands for nothing in it. */
  write(signature: string, timestamp: string): Readonly<Record<string, string>>
}

/**
 * One signature in a header behind a prefix, or in any of several headers.
 *
 * Signing writes the first of them only.
 */
export function plainHeader(header: string | readonly string[], prefix: string): SignatureHeader {
  const names = [header].flat().map((name) => name.toLowerCase())
  const [first = ''] = names
  return {
    names,
    read(headers) {
      const values = names.map((name) => headers.get(name)).filter((value) => value !== null)
      if (values.length === 0) return 'missing'
      const prefixed = values.filter((value) => value.startsWith(prefix))
      if (prefixed.length === 0) return 'malformed'
      return { signatures: prefixed.map((value) => value.slice(prefix.length)) }
    },
    write: (signature) => ({ [first]: prefix + signature }),
  }
}
