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
 * The first secret of a session is 32 random bytes. Every further one is an HMAC of the token before it, so that
 * everybody who rotates one token, at the same time or again within the grace, arrives at the same successor, and
 * nothing but hashes has to be stored. This is as safe as random successors:
 *
 * - without the server's key nobody gets from a token to the next one, so a stolen token that was used is worth
 *   nothing, as always;
 * - with the database alone nobody gets a token, since it holds hashes of 256-bit secrets;
 * - with the server's key alone nobody gets a token, since the chain starts with a random one.
 *
 * Only both a token and the key give the ones after it, and the rightful client's next rotation then gives the theft
 * away, because the session has moved on.
 *
 * The tag, an HMAC as well, tells a token that was once given out from an invention. Without it, anybody who knows a
 * session's id could end it by sending rubbish that looks like a reused token.
 */
export interface RefreshTokens {
  /** The first token of a session, from 32 random bytes. */
  first(sessionId: string, random: Uint8Array): string
  /** The session of a token that was given out here, or undefined. */
  sessionOf(token: string): string | undefined
  /** The token that follows, under the first key. */
  successor(token: string): string
  /** The tokens that may have followed, one for each key: whoever rotated had another key in front, perhaps. */
  successors(token: string): readonly string[]
}

// Of raw bytes, each HMAC would import its key anew, which takes longer than the rest of it.
interface Keys {
  readonly chain: KeyObject
  readonly tag: KeyObject
}

const shape = /^([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}\.([A-Za-z0-9_-]{22})$/
const sessionIdShape = /^[A-Za-z0-9_-]{1,64}$/

/** The parts are derived from each secret by HKDF, so that a secret that has other uses may be given. */
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
        throw new TypeError('A session id has 1 to 64 letters, digits, dashes and underscores')
      }
      if (random.byteLength !== 32)
        throw new TypeError('randomBytes must return as many bytes as it is asked for')
      return tagged(sessionId, Buffer.from(random).toString('base64url'), current)
    },
    sessionOf(token) {
      const [, sessionId, tag] = shape.exec(token) ?? []
      if (sessionId === undefined || tag === undefined) return undefined
      const body = token.slice(0, -tag.length - 1)
      return keys.some((key) => sameText(tag, tagOf(body, key))) ? sessionId : undefined
    },
    successor: (token) => follow(token, current),
    successors: (token) => keys.map((key) => follow(token, key)),
  }
}

/** What is stored of a token. It needs no salt and no slow hash: the token holds 256 random bits. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares two texts of a known length in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}

function follow(token: string, keys: Keys): string {
  const [sessionId = ''] = token.split('.', 1)
  return tagged(sessionId, createHmac('sha256', keys.chain).update(token).digest('base64url'), keys)
}

function tagged(sessionId: string, secret: string, keys: Keys): string {
  const body = `${sessionId}.${secret}`
  return `${body}.${tagOf(body, keys)}`
}

function tagOf(body: string, { tag }: Keys): string {
  return createHmac('sha256', tag).update(body).digest().subarray(0, 16).toString('base64url')
}

function derive(secret: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `sallyport ${purpose}`, 32)))
}
