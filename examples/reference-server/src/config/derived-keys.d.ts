import { type CursorCodec } from '@sallyport/rest';
/**
 * Derives keys for one purpose from shared secrets (HKDF, RFC 5869). Signatures for one purpose are invalid for another.
 */
export declare function deriveKeys(secrets: readonly string[], purpose: string): readonly Uint8Array[];
/** Creates the codec of cursors. Its keys are derived from the secrets that sign tokens. */
export declare function createCursors(jwtSecrets: readonly string[]): CursorCodec;
