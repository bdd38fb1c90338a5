import { integerOption } from '../options.ts'
import { invalidToken, tokenMissing } from './errors.ts'

export interface ParseBearerOptions {
  /** The longest token that is looked at, in characters. @default 8192 */
  readonly maxLength?: number
  /** The realm of the `WWW-Authenticate` header. @default 'api' */
  readonly realm?: string
}

/** The longest token that is looked at, in characters, unless told otherwise. */
export const defaultMaxTokenLength = 8192

const scheme = /^bearer /i
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * The token of an `Authorization: Bearer <token>` header (RFC 6750, section 2.1).
 *
 * The scheme is compared case-insensitively (RFC 9110, section 11.1), the token has to be a `token68`.
 *
 * @param authorization the header's value as received; undefined or null when there is none
 * @throws SallyportError 401 `TOKEN_MISSING` when there is no header or it does not start with `Bearer `; 401
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
  if (authorization == null || !scheme.test(authorization)) throw tokenMissing(challenge)
  const start = 'Bearer '.length
  // A few spaces after the scheme are allowed (RFC 9110, section 11.4), a header full of them is not read.
  if (authorization.length > start + maxLength + 16) throw invalidToken(challenge)
  const token = authorization.slice(start).replace(/^ +/, '')
  if (token.length > maxLength || !token68.test(token)) throw invalidToken(challenge)
  return token
}
