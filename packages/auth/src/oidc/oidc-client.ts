import type { CookieRequest } from '../cookies/same-origin.ts'
import { readIdentity, type OidcIdentity } from './identity.ts'
import { checkAddress, createIssuer, type IssuerOptions } from './issuer.ts'
import { OidcError } from './oidc-error.ts'
import { readReturnPath } from './return-path.ts'
import { createSealedCookie, isTooLong } from './sealed-cookie.ts'

export interface OidcClientOptions extends IssuerOptions {
  /** The address of the callback, which is registered at the issuer. Its origin is that of the host. */
  readonly redirectUri: string
  /** Secrets of at least 32 bytes that encrypt the cookies. The first encrypts, all decrypt. */
  readonly secrets: readonly string[]
  /** @default 'openid email profile' */
  readonly scope?: string
  /** The path that a login and a logout lead to without another one. @default '/' */
  readonly home?: string
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A redirection: the values of `Location` and of `Set-Cookie`. */
interface Redirection {
  readonly location: string
  readonly cookies: readonly string[]
}

/** A request of the callback. */
interface CallbackRequest extends CookieRequest {
  readonly query: string
}

/** A login that has begun. */
interface Login {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  /** In milliseconds since 1970. */
  readonly endsAt: number
}

/** Logins at an issuer of OpenID Connect. */
export interface OidcClient {
  /** The origin of the host. */
  readonly origin: string
  readonly home: string
  /**
   * Begins a login that leads to a path of the host. The three newest logins of a browser, such as those of several tabs, can end.
   *
   * @throws OidcError `failed` or `unavailable`
   */
  readonly begin: (request: CookieRequest, returnTo?: string) => Promise<Redirection>
  /**
   * Ends a login with the query of the callback. It must have begun in the same browser within ten minutes.
   *
   * @throws OidcError; end the login with `forget`
   */
  readonly finish: (request: CallbackRequest) => Promise<{ readonly identity: OidcIdentity } & Redirection>
  /** Ends a login without its result, and returns the value of `Set-Cookie`. */
  readonly forget: (request: CallbackRequest) => Promise<string>
  /**
   * Returns where to log out at the issuer. It leads to `home` at an issuer that has no logout or does not answer, and without a
   * login.
   */
  readonly end: (request: CookieRequest) => Promise<Redirection>
}

const loginSeconds = 600
const mostLogins = 3
const hintSeconds = 30 * 86_400

/**
 * Creates a client of one issuer: the authorization code flow with PKCE, `state` and `nonce`. It loads `openid-client` and
 * fetches the metadata of the issuer at the first login, and again after an hour.
 *
 * `createOidcLogin` adds sessions. Use this function with sessions of your own.
 *
 * @throws TypeError for an address without https on another host than this machine, without one credential, and for short
 *   secrets
 *
 * @example
 * ```ts
 * import { createOidcClient } from '@sallyport/auth/oidc'
 *
 * const client = createOidcClient({
 *   issuer: 'https://id.example',
 *   clientId: 'sallyport',
 *   clientSecret: process.env.OIDC_CLIENT_SECRET ?? '',
 *   redirectUri: 'https://hooks.example/login/callback',
 *   secrets: [process.env.JWT_SECRET ?? ''],
 * })
 * const request = { method: 'GET', header: () => undefined }
 * const { location, cookies } = await client.begin(request, '/console')
 * ```
 */
export function createOidcClient(options: OidcClientOptions): OidcClient {
  const { redirectUri, secrets, scope = 'openid email profile', home = '/', now = Date.now } = options
  const { origin } = checkAddress('redirectUri', redirectUri)
  const connect = createIssuer(options)
  // Strict would keep the cookies from the callback, which the issuer leads to.
  const common = { origin, secrets, now, sameSite: 'Lax' } as const
  const loginCookie = createSealedCookie({ ...common, name: 'sallyport-login' })
  const hintCookie = createSealedCookie({ ...common, name: 'sallyport-issuer' })

  /** The issuer may need the token for a logout without a question. A token that is too long for a cookie is left out. */
  async function writeHint(idToken: string): Promise<string> {
    const cookie = await hintCookie.write({ idToken }, hintSeconds)
    return isTooLong(cookie) ? hintCookie.write({}, hintSeconds) : cookie
  }

  /** The logins of a browser, newest first. */
  async function readLogins(request: CookieRequest): Promise<readonly Login[]> {
    const { logins = [] } = (await loginCookie.read(request)) ?? {}
    // The cookie is encrypted, so only this client has written it.
    return (logins as readonly Login[]).filter(({ endsAt }) => endsAt > now())
  }

  async function writeLogins(logins: readonly Login[]): Promise<string> {
    if (logins.length === 0) return loginCookie.deletion
    const cookie = await loginCookie.write({ logins }, loginSeconds)
    return isTooLong(cookie) && logins.length > 1 ? writeLogins(logins.slice(0, -1)) : cookie
  }

  async function forget({ query, ...request }: CallbackRequest): Promise<string> {
    const ended = new URLSearchParams(query).get('state')
    return writeLogins((await readLogins(request)).filter(({ state }) => state !== ended))
  }

  return {
    origin,
    home,
    forget,

    begin: (request, returnTo) =>
      withFailures(async () => {
        const { library, config } = await connect()
        const login: Login = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          verifier: library.randomPKCECodeVerifier(),
          returnTo: readReturnPath(returnTo, origin, home),
          endsAt: now() + loginSeconds * 1000,
        }
        const location = library.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state: login.state,
          nonce: login.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(login.verifier),
          code_challenge_method: 'S256',
        })
        const logins = [login, ...(await readLogins(request))].slice(0, mostLogins)
        return { location: location.href, cookies: [await writeLogins(logins)] }
      }),

    finish: (request) =>
      withFailures(async () => {
        const query = new URLSearchParams(request.query)
        const login = (await readLogins(request)).find(({ state }) => state === query.get('state'))
        if (login === undefined) throw new OidcError('expired')
        const { library, config } = await connect()
        const url = new URL(redirectUri)
        url.search = query.toString()
        const tokens = await library.authorizationCodeGrant(config, url, {
          expectedState: login.state,
          expectedNonce: login.nonce,
          pkceCodeVerifier: login.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined) throw new OidcError('failed')
        return {
          identity: readIdentity(claims),
          location: login.returnTo,
          cookies: [await forget(request), await writeHint(tokens.id_token)],
        }
      }),

    async end(request) {
      const hint = await hintCookie.read(request)
      const atHome = { location: home, cookies: [hintCookie.deletion] }
      if (hint === undefined) return atHome
      const { idToken } = hint
      const connection = await connect().catch(() => undefined)
      if (connection?.config.serverMetadata().end_session_endpoint === undefined) return atHome
      const location = connection.library.buildEndSessionUrl(connection.config, {
        post_logout_redirect_uri: origin + home,
        ...(typeof idToken === 'string' && { id_token_hint: idToken }),
      })
      return { ...atHome, location: location.href }
    },
  }
}

/** Converts errors of the library, whose messages and causes have parts of the response. */
async function withFailures<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw findOidcError(error) ?? new OidcError(getReason(error), { cause: error, detail: getDetail(error) })
  }
}

/** Finds the error of the own fetch, which the library wraps. */
function findOidcError(error: unknown, depth = 5): OidcError | undefined {
  if (error instanceof OidcError) return error
  return error instanceof Error && depth > 0 ? findOidcError(error.cause, depth - 1) : undefined
}

function getDetail(error: unknown): string | undefined {
  const { error: code, code: own } = Object(error) as { readonly error?: unknown; readonly code?: unknown }
  return [code, own].find((text) => typeof text === 'string' && /^\w{1,64}$/.test(text)) as string | undefined
}

function getReason(error: unknown): OidcError['reason'] {
  // The `error` of the authorization endpoint or of the token endpoint (RFC 6749, sections 4.1.2.1 and 5.2).
  const { error: code } = Object(error) as { readonly error?: unknown }
  if (code === 'access_denied') return 'denied'
  if (code === 'invalid_grant') return 'expired'
  return code === 'server_error' || code === 'temporarily_unavailable' ? 'unavailable' : 'failed'
}
