import { integerOption } from '@sallyport/internal/options'
import { LRUCache } from 'lru-cache'

export interface RevocationCacheOptions {
  /** Looks up a revocation, for example in a session store. */
  readonly lookup: (token: RevocableToken) => boolean | Promise<boolean>
  /** How long a result is cached, in seconds. Other processes see a revocation after at most this time. @default 5 */
  readonly maxAgeSeconds?: number
  /** The maximum number of cached results. @default 10000 */
  readonly max?: number
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A {@link RevocationCheck} with a cache. */
export interface RevocationCache extends RevocationCheck {
  /** Rejects all tokens of a session in this process; call it after the session was revoked in the store. */
  readonly revokeSession: (sid: string) => void
  /** Rejects one token in this process; call it after the revocation was stored. */
  readonly revokeToken: (jti: string) => void
}

/**
 * Caches the results of a revocation lookup. A revocation in this process is effective at once, one in another process
 * after at most `maxAgeSeconds`. Lookups of one token are single-flight.
 *
 * @example
 * ```ts
 * import { createMemorySessionStore, createSessions, createRevocationCache } from '@sallyport/auth'
 *
 * const revocations = createRevocationCache({
 *   lookup: async ({ sid }) => sid === undefined || !(await sessions.isActive(sid)),
 * })
 * const sessions = createSessions({
 *   store: createMemorySessionStore(),
 *   secrets: [process.env.JWT_SECRET ?? ''],
 *   onEnded: (ids) => ids.forEach((id) => revocations.revokeSession(id)),
 * })
 * ```
 */
export function createRevocationCache(options: RevocationCacheOptions): RevocationCache {
  const { lookup, maxAgeSeconds = 5, max = 10_000, now = Date.now } = options
  const maxAge = integerOption('maxAgeSeconds', maxAgeSeconds, 1) * 1000
  integerOption('max', max, 1)
  const answers = new LRUCache<string, { readonly revoked: boolean; readonly askedAt: number }>({ max })
  // Eviction is safe: the lookup also finds the revocation.
  const sessions = new LRUCache<string, true>({ max })
  const tokens = new LRUCache<string, true>({ max })
  const pending = new Map<string, Promise<boolean>>()

  const isRevokedLocally = ({ sid, jti }: RevocableToken) =>
    (sid !== undefined && sessions.has(sid)) || (jti !== undefined && tokens.has(jti))

  async function ask(key: string, token: RevocableToken): Promise<boolean> {
    const askedAt = now()
    try {
      const revoked = await lookup(token)
      answers.set(key, { revoked, askedAt })
      // A local revocation during the lookup is newer than its result.
      return revoked || isRevokedLocally(token)
    } finally {
      pending.delete(key)
    }
  }

  return {
    isRevoked(token) {
      if (isRevokedLocally(token)) return true
      const { sub, sid, jti, iat } = token
      const key = JSON.stringify([sub, sid, jti, iat])
      const answer = answers.get(key)
      const age = answer === undefined ? Infinity : now() - answer.askedAt
      if (answer !== undefined && age >= 0 && age < maxAge) return answer.revoked
      let asked = pending.get(key)
      if (asked === undefined) {
        asked = ask(key, token)
        pending.set(key, asked)
      }
      return asked
    },
    revokeSession(sid) {
      sessions.set(sid, true)
    },
    revokeToken(jti) {
      tokens.set(jti, true)
    },
  }
}

/** The claims that identify a token for a revocation check. The text of the token is a credential and not included. */
interface RevocableToken {
  readonly sub: string
  readonly iat: number
  readonly exp: number
  readonly jti?: string
  readonly sid?: string
}

/** Checks whether a token was revoked, by its id or by its session. */
export interface RevocationCheck {
  /**
   * Returns whether a token with a valid signature was revoked. Called for every verification, also for cached tokens, so
   * return a boolean instead of a promise if possible. An error rejects the token with 503.
   */
  isRevoked(token: RevocableToken): boolean | Promise<boolean>
}
