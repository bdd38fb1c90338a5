import { SallyportError } from '@sallyport/errors'
import { createInvalidTokenError } from '../bearer/errors.ts'
import type { CookieRequest } from './same-origin.ts'

/** A cookie that holds the token of a session. */
export interface SessionCookie {
  readonly name: string
  readonly token: string
}

/**
 * Returns the name of the cookie for a new session. Browsers reject a cookie with `__Host-` that a neighboring domain or
 * plain HTTP sets. On a loopback address, plain HTTP has a cookie without the prefix.
 *
 * @throws SallyportError 403 `HTTPS_REQUIRED` for a page from another host by plain HTTP
 */
export function chooseCookieName(name: string, origin: string | undefined): string {
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).protocol !== 'http:')
    return `__Host-${name}`
  if (isLoopback(new URL(origin).host)) return name
  throw new SallyportError('HTTPS_REQUIRED', 'Log in by HTTPS: browsers keep a session cookie only there')
}

/**
 * Finds the cookie of a session; undefined without one. The name without the prefix counts only on a loopback address.
 *
 * @throws SallyportError 401 `INVALID_TOKEN` for two cookies with different values, of which one is forged
 */
export function findSessionCookie(name: string, { header }: CookieRequest): SessionCookie | undefined {
  const cookies = header('cookie')
  if (cookies === undefined) return undefined
  const names = [`__Host-${name}`, ...(isLoopback(header('host') ?? '') ? [name] : [])]
  for (const each of names) {
    const [token, ...others] = readValues(cookies, each)
    if (token === undefined) continue
    if (others.length > 0) throw createInvalidTokenError()
    return { name: each, token }
  }
  return undefined
}

/**
 * Formats the value of `Set-Cookie`. An empty token with a maximum age of 0 deletes the cookie. Browsers send a cookie with
 * `Lax` also with a navigation from another site.
 */
export function formatSetCookie(
  { name, token }: SessionCookie,
  maxAgeSeconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string {
  const secure = name.startsWith('__Host-') ? ' Secure;' : ''
  const maxAge = Math.max(0, Math.floor(maxAgeSeconds))
  return `${name}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly;${secure} SameSite=${sameSite}`
}

/** Returns the different values of a cookie. */
function readValues(header: string, name: string): readonly string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  const prefix = `${name}=`
  return [
    ...new Set(pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length))),
  ]
}

/** Reports whether a host, with its port, is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  )
}
