/**
 * Access tokens with key rings and rotation, bearer parsing, guards, refresh sessions, session cookies, and API keys.
 *
 * @module
 */
export { createBearerAuthentication } from './bearer/authentication.ts'
export { createTokenMissingError, formatBearerChallenge } from './bearer/errors.ts'
export { parseBearer } from './bearer/parse-bearer.ts'
export { createCookieSessions, type CookieSessions } from './cookies/cookie-sessions.ts'
export { requireOwner, requireRole, requireScopes } from './guards.ts'
export { createApiKeys, type ApiKey, type ApiKeys, type VerifiedApiKey } from './keys/api-keys.ts'
export { createMemoryApiKeyStore } from './keys/memory-api-key-store.ts'
export { createMemorySessionStore } from './sessions/memory-session-store.ts'
export { RefreshTokenReuse } from './sessions/refresh-token-reuse.ts'
export {
  createSessions,
  type ResumedSession,
  type Session,
  type SessionGrant,
  type Sessions,
} from './sessions/sessions.ts'
export type { VerifiedToken } from './tokens/claims.ts'
export { createKeyRing, type KeyRing, type PublicJwks } from './tokens/key-ring.ts'
export { readPrivateKeys } from './tokens/read-private-keys.ts'
export { createRemoteKeys } from './tokens/remote-keys.ts'
export { createRevocationCache, type RevocationCache } from './tokens/revocation-cache.ts'
export type { KeyInput, PrivateKeyInput } from './tokens/signing-key.ts'
export { createTokenIssuer, type IssuedToken, type TokenIssuer } from './tokens/token-issuer.ts'
export { createTokenVerifier, type TokenVerifier } from './tokens/token-verifier.ts'
export type { VerificationKeys } from './tokens/verification-keys.ts'
