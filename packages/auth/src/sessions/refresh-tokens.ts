import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { secretOption } from '../options.ts'

/**
 * Refresh tokens: `<session id>.<secret>.<tag>`.
 *
 * The first secret of a session is 32 random bytes. Each further secret is an HMAC of the previous token. Concurrent
 * rotations of one token, and repetitions within the grace period, therefore get the same successor, and the store holds
 * only hashes. The scheme is as safe as random successors:
 *
 * - Without the server's key a token does not reveal its successor, so a stolen used token is worthless.
 * - The database alone reveals no token: it holds hashes of 256-bit secrets.
 * - The server's key alone reveals no token: the chain starts with a random secret.
 *
 * Only a token together with the key reveals the successors. The next rotation of the rightful client then detects the
 * theft because the session has moved on.
 *
 * The tag is an HMAC that distinguishes issued tokens from forged ones. Without it, anyone who knows the id of a session
 * could end the session with a forged token that looks like a reused one.
 */
export interface RefreshTokens {
  /** Creates the first token of a session from 32 random bytes. */
  first(sessionId: string, random: Uint8Array): string
  /** Returns the session of an issued token; undefined for a forged one. */
  findSession(token: string): string | undefined
  /** Creates the successor of a token with the current key. */
  successor(token: string): string
  /** Creates the possible successors of a token, one per key: another process may already use a newer key. */
  successors(token: string): readonly string[]
}

// With raw bytes, every HMAC would import the key, which takes longer than the HMAC.
interface Keys {
  readonly chain: KeyObject
  readonly tag: KeyObject
}

const shape = /^([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}\.([A-Za-z0-9_-]{22})$/
const sessionIdShape = /^[A-Za-z0-9_-]{1,64}$/

/** Derives the keys from each secret by HKDF, so that the secret can have other uses. */
export function createRefreshTokens(secrets: readonly (string | Uint8Array)[]): RefreshTokens {
  const keys = secrets.map((secret, index): Keys => {
    const bytes = secretOption(`secrets[${index}]`, secret)
    return { chain: derive(bytes, 'refresh chain'), tag: derive(bytes, 'refresh tag') }
  })
  const [current] = keys
  if (current === undefined) throw new TypeError('secrets must hold at least one secret')

  return {
    first(sessionId, random) {
      if (!sessionIdShape.test(sessionId)) {
        throw new TypeError('A session id must have 1 to 64 letters, digits, dashes and underscores')
      }
      if (random.byteLength !== 32)
        throw new TypeError('randomBytes must return the requested number of bytes')
      return formatToken(sessionId, Buffer.from(random).toString('base64url'), current)
    },
    findSession(token) {
      const [, sessionId, tag] = shape.exec(token) ?? []
      if (sessionId === undefined || tag === undefined) return undefined
      const body = token.slice(0, -tag.length - 1)
      return keys.some((key) => sameText(tag, createTag(body, key))) ? sessionId : undefined
    },
    successor: (token) => follow(token, current),
    successors: (token) => keys.map((key) => follow(token, key)),
  }
}

/** Hashes a refresh token for storage. A token has 256 random bits, so it needs no salt and no slow hash. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares two texts in constant time for a given length. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}

function follow(token: string, keys: Keys): string {
  const [sessionId = ''] = token.split('.', 1)
  return formatToken(sessionId, createHmac('sha256', keys.chain).update(token).digest('base64url'), keys)
}

function formatToken(sessionId: string, secret: string, keys: Keys): string {
  const body = `${sessionId}.${secret}`
  return `${body}.${createTag(body, keys)}`
}

function createTag(body: string, { tag }: Keys): string {
  return createHmac('sha256', tag).update(body).digest().subarray(0, 16).toString('base64url')
}

function derive(secret: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
}
