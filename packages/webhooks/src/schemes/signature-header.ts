import type { DeliveryHeaders } from '../ports/delivery.ts'

/** The signatures of a delivery, of which one must be valid, and the time when the same header contains it. */
export interface Presented {
  readonly signatures: readonly string[]
  readonly timestamp?: string
}

/** Reads and writes the headers of a signature. */
export interface SignatureHeader {
  /** The lower-case names of the headers. */
  readonly names: readonly string[]
  read(headers: DeliveryHeaders): Presented | 'missing' | 'malformed'
  /** Creates a header with one signature. */
  write(signature: string, timestamp: string): Readonly<Record<string, string>>
}

/**
 * Reads one signature with a prefix from each header. Writes the first header only.
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
