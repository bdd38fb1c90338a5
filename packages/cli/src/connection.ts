import { z } from 'zod'
import {
  getBasePath,
  getServerName,
  readCredentials,
  storeCredential,
  type Credential,
} from './credentials.ts'
import { resolveAddress } from './endpoint.ts'
import { CommandError, usage, tryParseJson, type Io } from './io.ts'
import { exchange } from './request.ts'
import { createResponseError } from './response.ts'

/** The API of a server, with the credentials of the user. */
export interface Connection {
  /** Returns the address of a path under `/api/v1`. */
  readonly resolve: (path: string) => URL
  /** Returns the bearer token: of the command, of the environment, or of the login. Renews an expired session. */
  readonly getToken: () => Promise<string>
}

const limits = { timeoutMs: 30_000, maxResponseBytes: 1024 * 1024 }
/** A token that expires sooner is renewed, in milliseconds. */
const renewBeforeMs = 60_000

const grant = z.object({
  data: z.object({
    id: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.number(),
  }),
})

/**
 * Connects to the API of a server: `url`, `SALLYPORT_URL`, the address of the login, or localhost.
 *
 * @throws CommandError if the address is invalid
 */
export async function connect(
  { url, token }: { readonly url?: string; readonly token?: string },
  io: Io,
): Promise<Connection> {
  const { env } = io
  const given = token ?? (env['SALLYPORT_KEY'] || env['SALLYPORT_TOKEN'])
  const fromEnvironment = url ?? (env['SALLYPORT_URL'] || undefined)
  const stored = given !== undefined && fromEnvironment !== undefined ? undefined : await readCredentials(env)
  const address = resolveAddress(fromEnvironment ?? stored?.url, env)
  let credential = stored?.servers[getServerName(address)]
  let renewal: Promise<string> | undefined

  async function getToken(): Promise<string> {
    if (given !== undefined) return checkToken(given)
    if (credential === undefined) throw createMissingError(address)
    if (credential.kind === 'key') return checkToken(credential.key)
    if (credential.expires_at - renewBeforeMs > io.now()) return credential.access_token
    renewal ??= renew(credential).finally(() => (renewal = undefined))
    return await renewal
  }

  /** Exchanges the refresh token, or takes the tokens that another command has stored. */
  async function renew(session: Credential & { readonly kind: 'session' }): Promise<string> {
    const { servers } = await readCredentials(env)
    const current = servers[getServerName(address)]
    const latest = current?.kind === 'session' ? current : session
    credential =
      latest.expires_at - renewBeforeMs > io.now()
        ? latest
        : await requestSession(
            address,
            `/sessions/${encodeURIComponent(latest.id)}/tokens`,
            { refresh_token: latest.refresh_token },
            io,
          )
    await storeCredential(address, credential, {}, env)
    return credential.access_token
  }

  return { resolve: (path) => resolvePath(address, path), getToken }
}

/**
 * Requests a session with its tokens.
 *
 * @throws CommandError if the server rejects the request
 */
export async function requestSession(
  address: URL,
  path: string,
  body: object,
  io: Io,
): Promise<Credential & { readonly kind: 'session' }> {
  const response = await exchange(
    resolvePath(address, path),
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'sallyport' },
      body: JSON.stringify(body),
    },
    limits,
    io,
  )
  const answer = grant.safeParse(tryParseJson(response.body))
  if (response.status >= 300 || !answer.success)
    throw createResponseError(response, 'that of the API', (code) =>
      code === 'INVALID_TOKEN' ? 'The session has ended: log in again with sallyport login.' : undefined,
    )
  const { id, access_token, refresh_token, expires_in } = answer.data.data
  return { kind: 'session', id, access_token, refresh_token, expires_at: io.now() + expires_in * 1000 }
}

const resolvePath = (address: URL, path: string): URL =>
  new URL(`${getBasePath(address.pathname)}/api/v1${path}`, address)

/**
 * Checks that a token can be sent as a header.
 *
 * @throws CommandError for other characters; the message omits the token, because it may be valid with a typing error
 */
export function checkToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CommandError(usage, 'The access token has invalid characters', 'Log in again: sallyport login')
}

function createMissingError({ origin }: URL): CommandError {
  return new CommandError(
    usage,
    `There is no login for ${origin}`,
    `Log in: sallyport login --url ${origin}`,
    'Or set SALLYPORT_KEY to an API key of the server.',
  )
}
