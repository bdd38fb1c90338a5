/**
 * Access tokens with pinned algorithms, key rings and rotation, bearer parsing, guards, and refresh sessions.
 *
 * @module
 */
export { bearerChallenge, type BearerChallenge, type ChallengeOptions } from './bearer/challenge.ts'
export { invalidToken, tokenMissing } from './bearer/errors.ts'
export { parseBearer, type ParseBearerOptions } from './bearer/parse-bearer.ts'
export {
  requireOwner,
  requireRole,
  requireScopes,
  type Principal,
  type RequireOwnerOptions,
  type RequireScopesOptions,
} from './guards.ts'
export { createMemorySessionStore, type MemorySessionStoreOptions } from './sessions/memory-session-store.ts'
export type {
  RevokeUserOptions,
  SessionRecord,
  SessionRotation,
  SessionStore,
} from './sessions/session-store.ts'
export {
  createSessions,
  type RotateOptions,
  type Session,
  type SessionEnd,
  type SessionGrant,
  type Sessions,
  type SessionsOptions,
} from './sessions/sessions.ts'
export type {
  ClaimsParser,
  ClaimsSchema,
  ClaimsSchemaResult,
  RegisteredClaims,
  VerifiedToken,
} from './tokens/claims.ts'
export { createKeyRing, type KeyRing, type PublicJwks, type Signer } from './tokens/key-ring.ts'
export { readPrivateKeys } from './tokens/read-private-keys.ts'
export {
  rememberRevocations,
  type RememberedRevocations,
  type RememberRevocationsOptions,
} from './tokens/remembered-revocations.ts'
export { createRemoteKeys, type PublicKeyAlgorithm, type RemoteKeysOptions } from './tokens/remote-keys.ts'
export type { RevocableToken, RevocationCheck } from './tokens/revocation.ts'
export type {
  KeyInput,
  PrivateKeyInput,
  PublicJwk,
  PublicKeyInput,
  SecretKeyInput,
  SigningAlgorithm,
} from './tokens/signing-key.ts'
export type { TokenCacheOptions } from './tokens/token-cache.ts'
export {
  createTokenIssuer,
  type ClaimsToIssue,
  type IssuedToken,
  type TokenIssuer,
  type TokenIssuerOptions,
} from './tokens/token-issuer.ts'
export {
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './tokens/token-verifier.ts'
export type { JsonWebKeyInput, NodeKeyObject, UsableKey } from './tokens/key-types.ts'
export type { KeyHint, VerificationKey, VerificationKeys } from './tokens/verification-keys.ts'
