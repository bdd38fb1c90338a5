import { createCursorCodec, type CursorCodec } from '@sallyport/rest'
import { deriveKeys } from './derived-keys.ts'

/** Cursors signed with keys of their own, derived from the secrets that sign tokens. */
export function createCursors(jwtSecrets: readonly string[]): CursorCodec {
  return createCursorCodec({ keys: deriveKeys(jwtSecrets, 'cursors') })
}
