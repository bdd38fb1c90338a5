import { hkdfSync } from 'node:crypto'

/**
 * Derives keys for one purpose from shared secrets (HKDF, RFC 5869). Signatures for one purpose are invalid for another.
 */
export function deriveKeys(secrets: readonly string[], purpose: string): readonly Uint8Array[] {
  return secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
}
