import { hkdfSync } from 'node:crypto'

/**
 * Keys for one purpose, derived from secrets that have others (RFC 5869): what is made with the keys of one purpose is
 * worth nothing for another.
 */
export function deriveKeys(secrets: readonly string[], purpose: string): readonly Uint8Array[] {
  return secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
}
