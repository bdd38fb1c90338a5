import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The parts of the text of an API key. */
export interface ParsedKey {
  readonly id: string
  readonly secret: string
}

const shape = /^([0-9a-f]{16})_([0-9a-f]{64})([0-9a-f]{8})$/

/**
 * Formats a key as `<prefix>_<id>_<secret><checksum>`: 64 and 256 random bits, and a CRC-32 of all characters before, in
 * hexadecimal. The checksum lets secret scanners and servers tell a key from a typo without a database.
 */
export function formatKey(prefix: string, { id, secret }: ParsedKey): string {
  const body = `${prefix}_${id}_${secret}`
  return body + checksum(body)
}

/** Returns the parts of a key; undefined for a text with another form or a wrong checksum. */
export function parseKey(prefix: string, text: string): ParsedKey | undefined {
  if (!text.startsWith(`${prefix}_`)) return undefined
  const [, id, secret, sum] = shape.exec(text.slice(prefix.length + 1)) ?? []
  if (id === undefined || secret === undefined) return undefined
  return sum === checksum(text.slice(0, -8)) ? { id, secret } : undefined
}

/** Hashes a secret for storage. A secret has 256 random bits, so it needs no salt and no slow hash. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')
