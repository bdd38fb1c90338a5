import type * as OpenidClient from 'openid-client'
import { readPrivateKeys } from '../tokens/read-private-keys.ts'
import { importKey } from '../tokens/signing-key.ts'
import { readAtMost } from '../read-at-most.ts'
import { isLoopback } from '../cookies/session-cookie.ts'
import { OidcError } from './oidc-error.ts'

export interface IssuerOptions {
  /** The issuer, exactly as in `iss` of its tokens: `https:`, or `http:` on a loopback host. */
  readonly issuer: string
  readonly clientId: string
  /** The secret of the client. @default the client authenticates by `privateKey` */
  readonly clientSecret?: string
  /** A private key in PEM or as a JSON Web Key, for `private_key_jwt`. @default the client authenticates by `clientSecret` */
  readonly privateKey?: string
  /** @default the global fetch */
  readonly fetch?: typeof fetch
}

type Library = typeof OpenidClient

/** The library and its configuration for the issuer. */
interface Connection {
  readonly library: Library
  readonly config: OpenidClient.Configuration
}

/** How long the metadata of the issuer is used. Its keys are fetched again for an unknown `kid`. */
const maxAgeMs = 3_600_000
const failureMs = 5000
const timeoutSeconds = 10
const maxBytes = 1_048_576

/**
 * Creates the function that returns the configuration of the issuer. It loads `openid-client` and fetches the metadata at the
 * first call.
 *
 * @throws TypeError for an address that is not `https:`, without one credential, or for an unreadable key
 */
export function createIssuer(options: IssuerOptions): () => Promise<Connection> {
  const { issuer, clientId, clientSecret, privateKey } = options
  const url = checkAddress('issuer', issuer)
  if ((clientSecret === undefined) === (privateKey === undefined))
    throw new TypeError('Set either clientSecret or privateKey')
  const signingKey = privateKey === undefined ? undefined : readSigningKey(privateKey)
  let connection: { readonly made: Promise<Connection>; until: number } | undefined

  async function connect(): Promise<Connection> {
    const library = await import('openid-client')
    const config = await library.discovery(
      url,
      clientId,
      undefined,
      signingKey ? library.PrivateKeyJwt(signingKey) : authenticate(library, clientSecret ?? ''),
      {
        timeout: timeoutSeconds,
        [library.customFetch]: createBoundedFetch(options.fetch ?? fetch),
        // The signature of the ID token is checked with the keys of the issuer, although it arrives by TLS.
        execute: [
          library.enableNonRepudiationChecks,
          // The address was checked above: only a loopback address has plain HTTP.
          // eslint-disable-next-line @typescript-eslint/no-deprecated -- the mark is a warning, not a plan
          ...(url.protocol === 'http:' ? [library.allowInsecureRequests] : []),
        ],
      },
    )
    // The library accepts the template that Microsoft has for all tenants. It would admit every tenant.
    if (trimSlash(config.serverMetadata().issuer) !== trimSlash(issuer)) throw new OidcError('failed')
    return { library, config }
  }

  return () => {
    if (connection === undefined || performance.now() > connection.until) {
      const made = connect()
      const next = { made, until: performance.now() + maxAgeMs }
      connection = next
      made.catch(() => {
        // Anyone can begin a login, which must not become a request to the issuer each.
        next.until = performance.now() + failureMs
      })
    }
    return connection.made
  }
}

/** @throws TypeError for an address that is neither `https:` nor on a loopback host */
export function checkAddress(option: string, address: string): URL {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.host))) return url
  throw new TypeError(`${option} must be an https address, because it decides who can log in`)
}

const trimSlash = (text: string): string => text.replace(/\/$/, '')

/** Uses the method of the issuer: by default, the secret is in `Authorization` (OpenID Connect Core 1.0, section 9). */
function authenticate(library: Library, secret: string): OpenidClient.ClientAuth {
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const needsPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ;(needsPost ? post : basic)(server, ...request)
  }
}

/** @throws TypeError without exactly one readable key */
function readSigningKey(text: string): OpenidClient.PrivateKey {
  const [input, ...others] = readPrivateKeys(text)
  if (input === undefined || others.length > 0) throw new TypeError('privateKey must be one key')
  const { signKey } = importKey(input, 'privateKey')
  if (!(signKey instanceof CryptoKey)) throw new TypeError('privateKey needs a runtime with WebCrypto keys')
  return { key: signKey, ...(input.kid !== undefined && { kid: input.kid }) }
}

/** A fetch with a size limit. A failure of the network becomes an `OidcError`. */
function createBoundedFetch(send: typeof fetch) {
  return async (url: string, init: object): Promise<Response> => {
    try {
      const response = await send(url, init)
      if (response.status >= 500) throw new Error(`The issuer answered with ${response.status}`)
      const body = await readAtMost(response, maxBytes, 'The answer of the issuer')
      return new Response(body.length === 0 ? null : body, {
        status: response.status,
        headers: response.headers,
      })
    } catch (cause) {
      throw new OidcError('unavailable', { cause })
    }
  }
}
