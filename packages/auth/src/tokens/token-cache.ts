import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { integerOption } from '../options.ts'
import type { RegisteredClaims } from './claims.ts'

export interface TokenCacheOptions {
  /** How many verified tokens are kept; 0 keeps none. @default 10000 */
  readonly max?: number
  /** How long a verification is used, in seconds; never beyond the token's `exp`. @default 60 */
  readonly maxAgeSeconds?: number
}

/** Verified tokens by the hash of their text, so that the cache itself holds no credential. */
export interface TokenCache<Token> {
  key(token: string): string
  get(key: string, version: number, nowMs: number): Token | undefined
  set(key: string, version: number, nowMs: number, token: Token): void
}

interface Entry<Token> {
  readonly token: Token
  /** The version of the keys that verified it. */
  readonly version: number
  readonly verifiedAt: number
  readonly usableUntil: number
}

/** Only tokens that were verified are put in, so strangers cannot fill it. */
export function createTokenCache<Token extends RegisteredClaims>(
  { max = 10_000, maxAgeSeconds = 60 }: TokenCacheOptions,
  clockToleranceSeconds: number,
): TokenCache<Token> {
  integerOption('cache.max', max, 0)
  integerOption('cache.maxAgeSeconds', maxAgeSeconds, 1)
  const entries = max === 0 ? undefined : new LRUCache<string, Entry<Token>>({ max })

  return {
    key: (token) => createHash('sha256').update(token).digest('base64url'),
    get(key, version, nowMs) {
      const entry = entries?.get(key)
      if (entry === undefined) return undefined
      // A clock that was set back would lengthen a life: the entry is then as good as gone.
      if (entry.version === version && nowMs < entry.usableUntil && nowMs >= entry.verifiedAt)
        return entry.token
      entries?.delete(key)
      return undefined
    },
    set(key, version, nowMs, token) {
      const expires = (token.exp + clockToleranceSeconds) * 1000
      const usableUntil = Math.min(expires, nowMs + maxAgeSeconds * 1000)
      entries?.set(key, { token, version, verifiedAt: nowMs, usableUntil })
    },
  }
}
