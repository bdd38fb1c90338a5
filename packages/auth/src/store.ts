/**
 * The ports for authors of stores of sessions and API keys.
 *
 * @module
 */
export type { ApiKeyPosition, ApiKeyQuery, ApiKeyRecord, ApiKeyStore } from './keys/api-key-store.ts'
export type {
  RevokeUserOptions,
  SessionRecord,
  SessionRotation,
  SessionStore,
} from './sessions/session-store.ts'
