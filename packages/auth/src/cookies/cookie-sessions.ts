import { isSallyportError, SallyportError } from '@sallyport/errors'
import { integerOption } from '@sallyport/internal/options'
import { formatBearerChallenge } from '../bearer/errors.ts'
import type { Session, SessionGrant, Sessions } from '../sessions/sessions.ts'
import { requireSameOrigin, type CookieRequest } from './same-origin.ts'
import { chooseCookieName, findSessionCookie, formatSetCookie, type SessionCookie } from './session-cookie.ts'

export interface CookieSessionsOptions {
  readonly sessions: Pick<Sessions, 'resume' | 'get' | 'revoke'>
  /** The name of the cookie: letters, digits, dashes and underscores. @default 'sallyport' */
  readonly name?: string
  /** The age in seconds at which the token in the cookie gets a successor. @default 900 */
  readonly rotateAfterSeconds?: number
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

interface Response {
  /** Sets a header of the response to this request. */
  readonly setHeader: (name: string, value: string) => void
}

/** Sessions of browsers, whose token is in a cookie that no script can read. */
export interface CookieSessions {
  /**
   * Checks a login before the password: it must come from a page of the same origin, by HTTPS or on a loopback address.
   *
   * @throws SallyportError 403 `CSRF_REJECTED` or `HTTPS_REQUIRED`
   */
  readonly checkLogin: (request: CookieRequest) => void
  /**
   * Puts a new session into the cookie, and ends the session that was in it.
   *
   * @throws SallyportError as `checkLogin`
   */
  readonly start: (request: CookieRequest, grant: SessionGrant, response: Response) => Promise<void>
  /**
   * Puts a new session into the cookie after a login that the host has bound to the browser itself, such as by the state of
   * OpenID Connect. `origin` is the origin of the host.
   *
   * @throws SallyportError 403 `HTTPS_REQUIRED`
   */
  readonly startAt: (origin: string, grant: SessionGrant, response: Response) => void
  /**
   * Returns the session of the cookie; undefined without one. Renews the cookie by age. A later call with the same request
   * object, such as during a long response, only checks that the session is still active.
   *
   * @throws SallyportError 401 `INVALID_TOKEN` when the session has ended; 403 `CSRF_REJECTED` for a request from another
   *   origin, and for a change without `X-CSRF-Protection: 1`
   */
  readonly authenticate: (request: CookieRequest, response: Response) => Promise<Session | undefined>
  /** Ends the session of an authenticated request, and deletes the cookie. */
  readonly end: (request: CookieRequest, session: Pick<Session, 'id'>, response: Response) => Promise<void>
}

/**
 * Creates sessions of browsers in a cookie with `HttpOnly`, `Secure`, `SameSite=Strict` and the prefix `__Host-`, without
 * `Secure` and the prefix on a loopback address by plain HTTP. Every request is checked for its origin.
 *
 * @throws TypeError for an option out of range
 * @example
 * ```ts
 * import { createCookieSessions, createMemorySessionStore, createSessions } from '@sallyport/auth'
 *
 * const sessions = createSessions({
 *   store: createMemorySessionStore(),
 *   secrets: [process.env.JWT_SECRET ?? ''],
 * })
 * const cookies = createCookieSessions({ sessions })
 * const headers = new Headers()
 * const response = { setHeader: (name: string, value: string) => headers.set(name, value) }
 *
 * export async function logIn(request: Request, userId: string): Promise<Response> {
 *   const login = { method: request.method, header: (name: string) => request.headers.get(name) ?? undefined }
 *   cookies.checkLogin(login)
 *   await cookies.start(login, await sessions.create({ userId }), response)
 *   return new Response(null, { status: 204, headers })
 * }
 * ```
 */
export function createCookieSessions(options: CookieSessionsOptions): CookieSessions {
  const { sessions, name = 'sallyport', now = Date.now } = options
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new TypeError('name must have 1 to 64 letters, digits, dashes and underscores')
  const rotateAfterSeconds = integerOption('rotateAfterSeconds', options.rotateAfterSeconds ?? 900, 1)

  const authenticated = new WeakMap<CookieRequest, string>()

  const write = (response: Response, cookie: SessionCookie, maxAgeSeconds: number) => {
    response.setHeader('Set-Cookie', formatSetCookie(cookie, maxAgeSeconds))
  }
  const getMaxAge = ({ expiresAt }: Session) => (expiresAt - now()) / 1000

  function checkLogin(request: CookieRequest): string {
    requireSameOrigin(request)
    return chooseCookieName(name, request.header('origin'))
  }

  async function resume({ token }: SessionCookie) {
    try {
      return await sessions.resume(token, { rotateAfterSeconds })
    } catch (cause) {
      if (isSallyportError(cause) && cause.code === 'INVALID_TOKEN') refuse(cause.cause ?? cause)
      throw cause
    }
  }

  async function authenticate(request: CookieRequest, response: Response): Promise<Session | undefined> {
    const cookie = findSessionCookie(name, request)
    if (cookie === undefined) return undefined
    requireSameOrigin(request)
    const known = authenticated.get(request)
    // The cookie of a long request becomes old. Its token would look reused, and a new cookie could not be sent.
    if (known !== undefined) return (await sessions.get(known)) ?? refuse()
    const { session, refreshToken } = await resume(cookie)
    authenticated.set(request, session.id)
    if (refreshToken !== undefined) write(response, { ...cookie, token: refreshToken }, getMaxAge(session))
    return session
  }

  return {
    checkLogin,

    async start(request, { session, refreshToken }, response) {
      const cookie = { name: checkLogin(request), token: refreshToken }
      write(response, cookie, getMaxAge(session))
      const before = await authenticate(request, { setHeader: () => undefined }).catch(() => undefined)
      if (before !== undefined) await sessions.revoke(before.id)
    },

    startAt(origin, { session, refreshToken }, response) {
      write(response, { name: chooseCookieName(name, origin), token: refreshToken }, getMaxAge(session))
    },

    authenticate,

    async end(request, { id }, response) {
      await sessions.revoke(id)
      const cookie = findSessionCookie(name, request)
      if (cookie !== undefined) write(response, { name: cookie.name, token: '' }, 0)
    },
  }
}

/** The cookie stays: its deletion could arrive after a new login, and delete the new cookie. */
function refuse(cause?: unknown): never {
  throw new SallyportError('INVALID_TOKEN', 'The session has ended; log in again', {
    cause,
    headers: { 'WWW-Authenticate': formatBearerChallenge({ error: 'invalid_token' }) },
  })
}
