import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose'
import { isSallyportError } from '@sallyport/errors'
import type { CookieRequest } from '../cookies/same-origin.ts'
import { findSessionCookie, formatSetCookie } from '../cookies/session-cookie.ts'
import { secretOption } from '../options.ts'

/** A cookie whose content is encrypted and expires. */
export interface SealedCookie {
  /** Returns the value of `Set-Cookie`. */
  readonly write: (content: JWTPayload, seconds: number) => Promise<string>
  /** Returns the content; undefined without the cookie, or for one that is forged, expired or given twice. */
  readonly read: (request: CookieRequest) => Promise<JWTPayload | undefined>
  /** The value of `Set-Cookie` that deletes the cookie. */
  readonly deletion: string
}

/** The headers of a response must fit 4096 bytes: nginx answers 502 for more by default, and browsers drop a longer cookie. */
const maxBytes = 2500

export const isTooLong = (setCookie: string): boolean => setCookie.length > maxBytes

/**
 * Creates a cookie with the prefix `__Host-`, which no neighboring domain can set, or without it at a loopback address by plain
 * HTTP. It is encrypted by A256GCM with keys derived from the secrets: the first encrypts, all decrypt.
 */
export function createSealedCookie({
  name,
  origin,
  secrets,
  sameSite,
  now = Date.now,
}: {
  readonly name: string
  readonly origin: string
  readonly secrets: readonly string[]
  readonly sameSite: 'Strict' | 'Lax'
  readonly now?: () => number
}): SealedCookie {
  const keys = secrets.map((secret, index) => deriveKey(secretOption(`secrets[${index}]`, secret), name))
  const [current] = keys
  if (current === undefined) throw new TypeError('secrets must hold at least one secret')
  const fullName = origin.startsWith('https:') ? `__Host-${name}` : name

  return {
    async write(content, seconds) {
      const token = await new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1000) + seconds)
        .encrypt(current)
      return formatSetCookie({ name: fullName, token }, seconds, sameSite)
    },

    async read(request) {
      const token = findToken(name, request)
      for (const key of token === undefined ? [] : keys) {
        const options = {
          ...{ currentDate: new Date(now()), requiredClaims: ['exp'] },
          ...{ keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        }
        const content = await jwtDecrypt(token ?? '', key, options).catch(() => undefined)
        if (content !== undefined) return content.payload
      }
      return undefined
    },

    deletion: formatSetCookie({ name: fullName, token: '' }, 0, sameSite),
  }
}

function findToken(name: string, request: CookieRequest): string | undefined {
  try {
    return findSessionCookie(name, request)?.token
  } catch (error) {
    // Of two different cookies, one is forged.
    if (isSallyportError(error)) return undefined
    throw error
  }
}

const deriveKey = (secret: Uint8Array, name: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `sallyport cookie ${name}`, 32))
