import { hash } from 'node:crypto'
import { integerOption } from '../options.ts'
import type { RegisteredClaims } from './claims.ts'
import { createDoorkeeper } from './doorkeeper.ts'
import { createGenerations } from './generations.ts'

export interface TokenCacheOptions {
  /**
   * How many verified tokens are kept at most, and half as many at least; 0 keeps none. A token is kept once it has been
   * verified twice; of those that come once, few take another's place.
   *
   * @default 10000
   */
  readonly max?: number
  /** How long a verification is used, in seconds; never beyond the token's `exp`. @default 60 */
  readonly maxAgeSeconds?: number
}

/** Verified tokens by the hash of their text, so that the cache itself holds no credential. */
export interface TokenCache<Token> {
  get(text: string, version: number, nowMs: number): Token | undefined
  set(text: string, version: number, nowMs: number, token: Token): void
}

interface Entry<Token> {
  readonly hash: string
  readonly token: Token
  /** The version of the keys that verified it. */
  readonly version: number
  readonly verifiedAt: number
}

/** Only tokens that were verified are put in, so strangers cannot fill it. */
export function createTokenCache<Token extends RegisteredClaims>(
  { max = 10_000, maxAgeSeconds = 60 }: TokenCacheOptions,
  clockToleranceSeconds: number,
): TokenCache<Token> {
  integerOption('cache.max', max, 0)
  const maxAgeMs = integerOption('cache.maxAgeSeconds', maxAgeSeconds, 1) * 1000
  const entries = createGenerations<Entry<Token>>(max)
  const doorkeeper = createDoorkeeper(max)

  const isUsable = ({ token, verifiedAt }: Entry<Token>, nowMs: number) =>
    // A clock that was set back would lengthen a life: the entry is then as good as gone.
    nowMs >= verifiedAt && nowMs < verifiedAt + maxAgeMs && nowMs < (token.exp + clockToleranceSeconds) * 1000

  return {
    get(text, version, nowMs) {
      const ending = endingOf(text)
      const entry = entries.get(ending)
      if (entry === undefined || entry.hash !== hashOf(text)) return undefined
      if (entry.version === version && isUsable(entry, nowMs)) return entry.token
      entries.delete(ending)
      // It was in use: it need not come twice again, which would have it verified once more in every `maxAgeSeconds`.
      doorkeeper.admits(ending)
      return undefined
    },
    set(text, version, nowMs, token) {
      const ending = endingOf(text)
      if (max > 0 && doorkeeper.admits(ending))
        entries.set(ending, { hash: hashOf(text), token, version, verifiedAt: nowMs })
    },
  }
}

/**
 * The last 48 bits of a signature, by which a token is found before its text is hashed. They tell nobody the rest, and
 * two tokens that share them only take the place of one another.
 */
const endingOf = (text: string): string => text.slice(-8)

const hashOf = (text: string): string => hash('sha256', text, 'base64url')
