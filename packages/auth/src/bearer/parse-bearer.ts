import { integerOption } from '@sallyport/internal/options'
import { createInvalidTokenError, createTokenMissingError } from './errors.ts'

export interface ParseBearerOptions {
  /** Maximum length of a token in characters. @default 8192 */
  readonly maxLength?: number
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

/** The default maximum length of a token in characters. */
export const defaultMaxTokenLength = 8192

const scheme = /^bearer /i
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * Reads the token of an `Authorization: Bearer <token>` header (RFC 6750, section 2.1).
 *
 * The scheme is case-insensitive (RFC 9110, section 11.1), and the token must be a `token68`.
 *
 * @param authorization the received value of the header; undefined or null without the header
 * @throws SallyportError 401 `TOKEN_MISSING` without the header or without the prefix `Bearer `; 401
 *   `INVALID_TOKEN` for a token that is malformed or too long. Both carry `WWW-Authenticate`.
 * @example
 * ```ts
 * import { parseBearer } from '@sallyport/auth'
 *
 * const token = parseBearer('Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln')
 * ```
 */
export function parseBearer(
  authorization: string | null | undefined,
  { maxLength = defaultMaxTokenLength, ...challenge }: ParseBearerOptions = {},
): string {
  integerOption('maxLength', maxLength, 1)
  if (authorization == null || !scheme.test(authorization)) throw createTokenMissingError(challenge)
  const start = 'Bearer '.length
  // RFC 9110, section 11.4 allows spaces after the scheme. At most 16 are read.
  if (authorization.length > start + maxLength + 16) throw createInvalidTokenError(challenge)
  const token = authorization.slice(start).replace(/^ +/, '')
  if (token.length > maxLength || !token68.test(token)) throw createInvalidTokenError(challenge)
  return token
}
