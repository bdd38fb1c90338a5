/**
 * The port for authors of session stores.
 *
 * @module
 */
export type {
  RevokeUserOptions,
  SessionRecord,
  SessionRotation,
  SessionStore,
} from './sessions/session-store.ts'
