import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { integerOption } from '@sallyport/internal/options'
import type { RegisteredClaims } from './claims.ts'

export interface TokenCacheOptions {
  /** The maximum number of cached tokens; 0 disables the cache. @default 10000 */
  readonly max?: number
  /** How long a verification is cached, in seconds; never beyond the token's `exp`. @default 60 */
  readonly maxAgeSeconds?: number
}

/** Verified tokens by the hash of their text, so that the cache contains no credentials. */
export interface TokenCache<Token> {
  /** Hashes the text of a token, once for `get` and `set`. */
  keyFor(text: string): string
  get(key: string, version: number, nowMs: number): Token | undefined
  set(key: string, version: number, nowMs: number, token: Token): void
}

interface Entry<Token> {
  readonly token: Token
  /** The version of the verifying keys. */
  readonly version: number
  readonly verifiedAt: number
}

/** Creates a cache of verified tokens. Invalid tokens are not cached, so that an attacker cannot fill the cache. */
export function createTokenCache<Token extends RegisteredClaims>(
  { max = 10_000, maxAgeSeconds = 60 }: TokenCacheOptions,
  clockToleranceSeconds: number,
): TokenCache<Token> {
  const maxAgeMs = integerOption('cache.maxAgeSeconds', maxAgeSeconds, 1) * 1000
  if (integerOption('cache.max', max, 0) === 0)
    return { keyFor: () => '', get: () => undefined, set: () => undefined }
  const entries = new LRUCache<string, Entry<Token>>({ max })

  const isUsable = ({ token, verifiedAt }: Entry<Token>, nowMs: number) =>
    // After the clock was set back, an entry would be valid for longer, so it is not used.
    nowMs >= verifiedAt && nowMs < verifiedAt + maxAgeMs && nowMs < (token.exp + clockToleranceSeconds) * 1000

  return {
    keyFor: (text) => hash('sha256', text, 'base64url'),
    get(key, version, nowMs) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.version === version && isUsable(entry, nowMs)) return entry.token
      entries.delete(key)
      return undefined
    },
    set(key, version, nowMs, token) {
      entries.set(key, { token, version, verifiedAt: nowMs })
    },
  }
}
