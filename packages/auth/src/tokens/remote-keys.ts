import { SallyportError } from '@sallyport/errors'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type RemoteJWKSet,
} from 'jose'
import { integerOption } from '@sallyport/internal/options'
import { readAtMost } from '../read-at-most.ts'
import { ed25519Names } from './signing-key.ts'
import type {
  KeyHint,
  VerificationAlgorithm,
  VerificationKey,
  VerificationKeys,
} from './verification-keys.ts'

/** An algorithm with public keys. */
type PublicKeyAlgorithm = Exclude<VerificationAlgorithm, 'HS256'>

export interface RemoteKeysOptions {
  /** The algorithms of the issuer. Keys with another declared algorithm are ignored. */
  readonly algorithms: readonly PublicKeyAlgorithm[]
  /** How long a fetched key set is used, in seconds. @default 600 */
  readonly maxAgeSeconds?: number
  /** The minimum time between fetches for an unknown `kid`, in seconds; after a failure at most 5. @default 30 */
  readonly cooldownSeconds?: number
  /** The timeout of a fetch in seconds. @default 5 */
  readonly timeoutSeconds?: number
  /** The maximum size of a key set in bytes. @default 262144 */
  readonly maxBytes?: number
  /** @default the global fetch */
  readonly fetch?: typeof fetch
}

/**
 * Creates verification keys from the JSON Web Key Set (RFC 7517) of another issuer.
 *
 * The set is fetched on first use, after `maxAgeSeconds`, and, at most once per `cooldownSeconds`, for an unknown `kid`.
 * While the set is unavailable, tokens are answered 503 instead of 401.
 *
 * @param url `https:`, or `http:` on a loopback host
 * @throws TypeError for another URL, without an algorithm, or for an option out of range
 * @example
 * ```ts
 * import { createRemoteKeys, createTokenVerifier } from '@sallyport/auth'
 *
 * const verifier = createTokenVerifier({
 *   keys: createRemoteKeys('https://id.example/.well-known/jwks.json', { algorithms: ['RS256'] }),
 *   issuer: 'https://id.example',
 *   audience: 'https://api.example',
 *   typ: 'JWT',
 * })
 * ```
 */
export function createRemoteKeys(url: string | URL, options: RemoteKeysOptions): VerificationKeys {
  const { algorithms, maxAgeSeconds = 600, cooldownSeconds = 30, timeoutSeconds = 5 } = options
  const allowed = new Set<string>(algorithms)
  if (allowed.size === 0) throw new TypeError('algorithms must name at least one algorithm')
  if ([...allowed].some((alg) => !publicKeyAlgorithms.has(alg))) {
    throw new TypeError(`algorithms must be among ${[...publicKeyAlgorithms].join(', ')}`)
  }
  const cooldown = integerOption('cooldownSeconds', cooldownSeconds, 1) * 1000
  const jwks = createRemoteJWKSet(checkUrl(url), {
    cacheMaxAge: integerOption('maxAgeSeconds', maxAgeSeconds, 1) * 1000,
    cooldownDuration: cooldown,
    timeoutDuration: integerOption('timeoutSeconds', timeoutSeconds, 1, 60) * 1000,
    [customFetch]: calmFetch(
      options.fetch ?? fetch,
      integerOption('maxBytes', options.maxBytes ?? 262_144, 1),
      Math.min(cooldown, 5000),
    ),
  })

  return {
    version: 0,
    async find(hint) {
      const { alg } = hint
      if (!isAllowed(alg, allowed)) return []
      return (await findKeys(jwks, hint)).map((key) => ({ alg, key }) satisfies VerificationKey)
    },
  }
}

const publicKeyAlgorithms: ReadonlySet<string> = new Set<PublicKeyAlgorithm>([
  ...(['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'] as const),
  ...(['RS256', 'RS384', 'RS512', 'PS256'] as const),
])

/** The maximum number of keys to check for a token without `kid`. */
const maxCandidates = 16

function isAllowed(alg: string, allowed: ReadonlySet<string>): alg is PublicKeyAlgorithm {
  return allowed.has(alg)
}

function checkUrl(url: string | URL): URL {
  const parsed = new URL(url)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && loopback)) return parsed
  throw new TypeError('The URL of a key set must be https, because the key set decides who can sign tokens')
}

async function findKeys(jwks: RemoteJWKSet, hint: KeyHint): Promise<readonly CryptoKey[]> {
  try {
    return [await jwks({ ...hint })]
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return []
    if (error instanceof errors.JWKSMultipleMatchingKeys) return takeKeys(error)
    throw new SallyportError('SERVICE_UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
      cause: error,
      headers: { 'Retry-After': '1' },
    })
  }
}

async function takeKeys(keys: AsyncIterable<CryptoKey>): Promise<readonly CryptoKey[]> {
  const found: CryptoKey[] = []
  for await (const key of keys) {
    found.push(key)
    if (found.length === maxCandidates) break
  }
  return found
}

/**
 * A fetch with a size limit and a back-off: after a failure it fails immediately for a while. The cooldown of jose starts
 * only after a success, so every token would contact an unavailable issuer.
 */
function calmFetch(fetchSet: typeof fetch, maxBytes: number, pauseMs: number) {
  let failed: { readonly error: unknown; readonly until: number } | undefined
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (failed !== undefined && performance.now() < failed.until) throw failed.error
    try {
      const response = await fetchSet(url, init)
      if (response.status !== 200) throw new Error(`The key set was answered with status ${response.status}`)
      const body = await readAtMost(response, maxBytes, 'The key set')
      // Parses the key set here, so that a malformed set counts as a failure.
      const set = JSON.parse(body.toString('utf8')) as JSONWebKeySet
      createLocalJWKSet(set)
      failed = undefined
      return Response.json({ keys: set.keys.map(removeEd25519Name) })
    } catch (error) {
      failed = { error, until: performance.now() + pauseMs }
      throw error
    }
  }
}

/** Removes the name of the algorithm of a key, because it has two names, and jose selects keys by one. */
function removeEd25519Name(jwk: JWK): JWK {
  const { alg, ...unnamed } = jwk
  return ed25519Names.has(alg) && jwk.crv === 'Ed25519' ? unnamed : jwk
}
