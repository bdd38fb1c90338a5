import { isSallyportError } from '@sallyport/errors'
import { integerOption } from '@sallyport/internal/options'
import { createTokenMissingError } from '../bearer/errors.ts'
import { requireSameOrigin, type CookieRequest } from '../cookies/same-origin.ts'
import { textOption } from '../options.ts'
import type { OidcIdentity } from './identity.ts'
import { createOidcClient, type OidcClientOptions } from './oidc-client.ts'
import { OidcError } from './oidc-error.ts'
import { createSealedCookie } from './sealed-cookie.ts'

export interface OidcLoginOptions<Permission extends string> extends OidcClientOptions {
  /**
   * Returns what a user may do, by the claims of the ID token. A user without a permission is refused. `getGroups` reads the
   * groups.
   */
  readonly permissions: (identity: OidcIdentity) => readonly Permission[]
  /**
   * Returns labels of the endpoints that a user is limited to, such as `region=eu`, or undefined for a user without a limit.
   *
   * @default no limit
   */
  readonly endpoints?: (identity: OidcIdentity) => string | undefined
  /** How long a session lasts, in seconds. A change at the issuer takes effect when it ends. @default 28800 (8 hours) */
  readonly sessionSeconds?: number
  /** Called with the failure of a login. */
  readonly onError?: (error: unknown) => void
}

/** A user with a session. */
interface OidcOperator<Permission extends string> {
  readonly id: string
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly endpoints?: string
}

/** Handlers of requests, and the check of sessions. */
export interface OidcLogin<Permission extends string> {
  /** Begins a login. `return_to` in the query is the path that it leads to. */
  readonly login: (request: Request) => Promise<Response>
  /** Ends a login, at the path of `redirectUri`. */
  readonly callback: (request: Request) => Promise<Response>
  /** Ends the session here and at the issuer. */
  readonly logout: (request: Request) => Promise<Response>
  /**
   * Returns the user of a request, as `authorize` of `createOperations`.
   *
   * @throws SallyportError 401 `TOKEN_MISSING` without a session; 403 `CSRF_REJECTED` for a request from another origin, and for
   *   a change without `X-CSRF-Protection: 1`
   */
  readonly authorize: (request: CookieRequest) => Promise<OidcOperator<Permission>>
}

/**
 * Creates logins at an issuer of OpenID Connect with sessions in an encrypted cookie. No database has them, so a session cannot be
 * ended before its time except by its browser.
 *
 * @throws TypeError as `createOidcClient`
 *
 * @example
 * ```ts
 * import { createOidcLogin, getGroups } from '@sallyport/auth/oidc'
 *
 * const { login, callback, logout, authorize } = createOidcLogin({
 *   issuer: 'https://id.example',
 *   clientId: 'sallyport',
 *   clientSecret: process.env.OIDC_CLIENT_SECRET ?? '',
 *   redirectUri: 'https://hooks.example/login/callback',
 *   secrets: [process.env.JWT_SECRET ?? ''],
 *   home: '/console',
 *   permissions: (identity) => (getGroups(identity, 'groups').includes('platform') ? ['read', 'replay'] : []),
 * })
 * // createOperations(webhooks, { authorize }), and the handlers at GET /login, /login/callback and /logout
 * ```
 */
export function createOidcLogin<const Permission extends string>(
  options: OidcLoginOptions<Permission>,
): OidcLogin<Permission> {
  const { permissions: getPermissions, endpoints: getEndpoints, secrets, onError = () => undefined } = options
  const sessionSeconds = integerOption('sessionSeconds', options.sessionSeconds ?? 28_800, 1)
  const client = createOidcClient(options)
  const session = createSealedCookie({
    ...{ name: 'sallyport-session', origin: client.origin, secrets, sameSite: 'Strict' },
    ...(options.now && { now: options.now }),
  })

  function fail(error: unknown, cookies: readonly string[] = []): Response {
    onError(error)
    if (isSallyportError(error)) return answer(error.status, [], error.message)
    if (!(error instanceof OidcError)) throw error
    const headers = cookies.map((cookie) => ['Set-Cookie', cookie] as const)
    return answer(statuses[error.reason], headers, error.message)
  }

  return {
    async login(request) {
      try {
        const returnTo = new URL(request.url).searchParams.get('return_to') ?? undefined
        return redirect(await client.begin(toCookieRequest(request), returnTo))
      } catch (error) {
        return fail(error)
      }
    },

    async callback(request) {
      const answered = { ...toCookieRequest(request), query: new URL(request.url).search }
      try {
        const { identity, location, cookies } = await client.finish(answered)
        const permissions = getPermissions(identity)
        if (permissions.length === 0) throw new OidcError('denied')
        const { issuer, subject, email, name } = identity
        const endpoints = getEndpoints?.(identity)
        const content = {
          ...{ id: `${issuer} ${subject}`, name: email ?? name ?? subject, permissions },
          ...(endpoints !== undefined && { endpoints }),
        }
        return redirect({ location, cookies: [...cookies, await session.write(content, sessionSeconds)] })
      } catch (error) {
        return fail(error, [await client.forget(answered)])
      }
    },

    async logout(request) {
      try {
        const cookieRequest = toCookieRequest(request)
        requireSameOrigin(cookieRequest)
        const { location, cookies } = await client.end(cookieRequest)
        return redirect({ location, cookies: [...cookies, session.deletion] })
      } catch (error) {
        return fail(error)
      }
    },

    async authorize(request) {
      const content = await session.read(request)
      if (content === undefined) throw createTokenMissingError()
      requireSameOrigin(request)
      const { id, name, permissions, endpoints } = content
      return {
        id: textOption('id', id),
        name: textOption('name', name),
        // The cookie is encrypted, so only this function has written it.
        permissions: permissions as readonly Permission[],
        ...(endpoints !== undefined && { endpoints: textOption('endpoints', endpoints) }),
      }
    },
  }
}

const statuses = { expired: 400, denied: 403, failed: 400, unavailable: 503 } as const

const toCookieRequest = ({ method, headers }: Request): CookieRequest => ({
  method,
  header: (name) => headers.get(name) ?? undefined,
})

const redirect = ({
  location,
  cookies,
}: {
  readonly location: string
  readonly cookies: readonly string[]
}) => answer(303, [['Location', location], ...cookies.map((cookie) => ['Set-Cookie', cookie] as const)], null)

function answer(
  status: number,
  headers: readonly (readonly [string, string])[],
  text: string | null,
): Response {
  const response = new Response(text, { status, headers: { 'Cache-Control': 'no-store' } })
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}
