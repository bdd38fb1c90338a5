import { hkdfSync } from 'node:crypto'
import { createCursorCodec, type CursorCodec } from '@sallyport/rest'

/**
 * Derives keys for one purpose from shared secrets (HKDF, RFC 5869). Signatures for one purpose are invalid for another.
 */
export function deriveKeys(secrets: readonly string[], purpose: string): readonly Uint8Array[] {
  return secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
}

/** Creates the codec of cursors. Its keys are derived from the secrets that sign tokens. */
export function createCursors(jwtSecrets: readonly string[]): CursorCodec {
  return createCursorCodec({ keys: deriveKeys(jwtSecrets, 'cursors') })
}
