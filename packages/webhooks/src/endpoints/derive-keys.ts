import { hkdfSync } from 'node:crypto'

/** Derives a key for one purpose from each key (HKDF, RFC 5869). Ciphertexts of one purpose are invalid for another. */
export function deriveKeys(keys: readonly Uint8Array[], purpose: string, bytes = 32): readonly Uint8Array[] {
  return keys.map((key) => new Uint8Array(hkdfSync('sha256', key, '', `sallyport ${purpose}`, bytes)))
}
