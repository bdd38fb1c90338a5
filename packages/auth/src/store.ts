/**
 * The ports for authors of stores of sessions and API keys.
 *
 * @module
 */
export type { ApiKeyRecord, ApiKeyStore } from './keys/api-key-store.ts'
export type { SessionRecord, SessionStore } from './sessions/session-store.ts'
