import { SallyportError } from '@sallyport/errors'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type CryptoKey,
  type JSONWebKeySet,
  type RemoteJWKSet,
} from 'jose'
import { integerOption } from '../options.ts'
import type { SigningAlgorithm } from './signing-key.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from './verification-keys.ts'

/** An algorithm whose public keys can be published. */
export type PublicKeyAlgorithm = Exclude<SigningAlgorithm, 'HS256'>

export interface RemoteKeysOptions {
  /** The algorithms that the issuer signs with; a key that declares another one is not used. */
  readonly algorithms: readonly PublicKeyAlgorithm[]
  /** How long a fetched set is used before it is fetched again. @default 600 */
  readonly maxAgeSeconds?: number
  /** How long after a fetch an unknown `kid` does not lead to another one; after a failure, at most 5. @default 30 */
  readonly cooldownSeconds?: number
  /** How long a fetch may take. @default 5 */
  readonly timeoutSeconds?: number
  /** The largest set that is read. @default 262144 */
  readonly maxBytes?: number
  /** The fetch to use. @default the global one */
  readonly fetch?: typeof fetch
}

/**
 * The public keys of another issuer, from its JSON Web Key Set (RFC 7517).
 *
 * The set is fetched when it is first needed, again when it is old, and, at most once in `cooldownSeconds`, when a
 * token names a key that is not in it. While it cannot be had, tokens are answered 503 and not 401: they may be good.
 *
 * @param url `https:`, or `http:` on a loopback host
 * @throws TypeError for another URL, no algorithm, or an option out of range
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
  if (allowed.size === 0) throw new TypeError('algorithms must name at least one')
  if ([...allowed].some((alg) => !publicKeyAlgorithms.has(alg))) {
    throw new TypeError('algorithms may be EdDSA, ES256 and RS256')
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

const publicKeyAlgorithms: ReadonlySet<string> = new Set(['EdDSA', 'ES256', 'RS256'])

/** The most keys of a set that a token without `kid` is tried against. */
const maxCandidates = 16

function isAllowed(alg: string, allowed: ReadonlySet<string>): alg is PublicKeyAlgorithm {
  return allowed.has(alg)
}

function checkUrl(url: string | URL): URL {
  const parsed = new URL(url)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && loopback)) return parsed
  throw new TypeError('The URL of a key set must be https: whoever can change it can sign tokens')
}

async function findKeys(jwks: RemoteJWKSet, hint: KeyHint): Promise<readonly CryptoKey[]> {
  try {
    return [await jwks({ ...hint })]
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return []
    if (error instanceof errors.JWKSMultipleMatchingKeys) return someOf(error)
    throw new SallyportError('SERVICE_UNAVAILABLE', 'Tokens cannot be checked at the moment; try again', {
      cause: error,
      headers: { 'Retry-After': '1' },
    })
  }
}

async function someOf(keys: AsyncIterable<CryptoKey>): Promise<readonly CryptoKey[]> {
  const found: CryptoKey[] = []
  for await (const key of keys) {
    found.push(key)
    if (found.length === maxCandidates) break
  }
  return found
}

/**
 * A fetch that reads a bounded body and, after a failure, fails at once for a while: jose's own cooldown starts with a
 * success, so that without this every token would try an issuer that is down.
 */
function calmFetch(fetchSet: typeof fetch, maxBytes: number, pauseMs: number) {
  let failed: { readonly error: unknown; readonly until: number } | undefined
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (failed !== undefined && performance.now() < failed.until) throw failed.error
    try {
      const response = await fetchSet(url, init)
      if (response.status !== 200) throw new Error(`The key set was answered with status ${response.status}`)
      const body = await readAtMost(response, maxBytes)
      // Refuses what is no key set here, so that it counts as a failure.
      createLocalJWKSet(JSON.parse(body.toString('utf8')) as JSONWebKeySet)
      failed = undefined
      return new Response(body)
    } catch (error) {
      failed = { error, until: performance.now() + pauseMs }
      throw error
    }
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? new Blob([]).stream()) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`The key set is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
