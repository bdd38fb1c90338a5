import { createCursorCodec, type CursorCodec } from '@sallyport/rest'
import { deriveKeys } from './derived-keys.ts'

/** Creates the codec of cursors. Its keys are derived from the secrets that sign tokens. */
export function createCursors(jwtSecrets: readonly string[]): CursorCodec {
  return createCursorCodec({ keys: deriveKeys(jwtSecrets, 'cursors') })
}
