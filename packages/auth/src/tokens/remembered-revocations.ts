import { LRUCache } from 'lru-cache'
import { integerOption } from '../options.ts'
import type { RevocableToken, RevocationCheck } from './revocation.ts'

export interface RememberRevocationsOptions {
  /** Asks where sessions and revocations are kept, such as a session store. */
  readonly lookup: (token: RevocableToken) => boolean | Promise<boolean>
  /** How long an answer is used, in seconds: the delay after which other processes notice. @default 5 */
  readonly maxAgeSeconds?: number
  /** How many answers are kept. @default 10000 */
  readonly max?: number
  /** The present, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A {@link RevocationCheck} that remembers. */
export interface RememberedRevocations extends RevocationCheck {
  /** Refuses all tokens of a session in this process from now on; call it once the session has ended. */
  readonly revokeSession: (sid: string) => void
  /** Refuses one token in this process from now on; call it once the revocation is stored. */
  readonly revokeToken: (jti: string) => void
}

/**
 * Remembers the answers of a revocation lookup: what this process revoked is refused at once, what others revoked
 * after at most `maxAgeSeconds`. At most one lookup a token is under way.
 *
 * @example
 * ```ts
 * import { createMemorySessionStore, createSessions, rememberRevocations } from '@sallyport/auth'
 *
 * const revocations = rememberRevocations({
 *   lookup: async ({ sid }) => sid === undefined || !(await sessions.isActive(sid)),
 * })
 * const sessions = createSessions({
 *   store: createMemorySessionStore(),
 *   secrets: [process.env.JWT_SECRET ?? ''],
 *   onEnded: (ids) => ids.forEach((id) => revocations.revokeSession(id)),
 * })
 * ```
 */
export function rememberRevocations(options: RememberRevocationsOptions): RememberedRevocations {
  const { lookup, maxAgeSeconds = 5, max = 10_000, now = Date.now } = options
  const maxAge = integerOption('maxAgeSeconds', maxAgeSeconds, 1) * 1000
  integerOption('max', max, 1)
  const answers = new LRUCache<string, { readonly revoked: boolean; readonly askedAt: number }>({ max })
  // Both may be forgotten under pressure: the lookup knows them too.
  const sessions = new LRUCache<string, true>({ max })
  const tokens = new LRUCache<string, true>({ max })
  const underWay = new Map<string, Promise<boolean>>()

  const revokedHere = ({ sid, jti }: RevocableToken) =>
    (sid !== undefined && sessions.has(sid)) || (jti !== undefined && tokens.has(jti))

  async function ask(key: string, token: RevocableToken): Promise<boolean> {
    const askedAt = now()
    try {
      const revoked = await lookup(token)
      answers.set(key, { revoked, askedAt })
      // A revocation that happened meanwhile is newer than the answer.
      return revoked || revokedHere(token)
    } finally {
      underWay.delete(key)
    }
  }

  return {
    isRevoked(token) {
      if (revokedHere(token)) return true
      const { sub, sid, jti, iat } = token
      const key = JSON.stringify([sub, sid, jti, iat])
      const answer = answers.get(key)
      const age = answer === undefined ? Infinity : now() - answer.askedAt
      if (answer !== undefined && age >= 0 && age < maxAge) return answer.revoked
      let asked = underWay.get(key)
      if (asked === undefined) {
        asked = ask(key, token)
        underWay.set(key, asked)
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
