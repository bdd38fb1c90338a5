import type { VerifiedToken } from '../tokens/claims.ts'
import {
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from '../tokens/token-verifier.ts'
import { parseBearer } from './parse-bearer.ts'

/**
 * Creates a function that authenticates requests by their bearer token, for `authenticate` of `createApi`.
 *
 * The function throws SallyportError 401 `TOKEN_MISSING` or `INVALID_TOKEN`, and 503 `SERVICE_UNAVAILABLE` when keys or
 * revocations are unavailable.
 *
 * @param verifier a verifier, or the options of `createTokenVerifier`
 * @throws TypeError for an option out of range
 *
 * @example
 * ```ts
 * import { createBearerAuthentication, createKeyRing } from '@sallyport/auth'
 *
 * const issuer = 'https://api.example'
 * const keys = createKeyRing([process.env.JWT_SECRET ?? ''])
 * const authenticate = createBearerAuthentication({ keys, issuer, audience: issuer })
 * const { sub } = await authenticate({ header: () => 'Bearer …' })
 * ```
 */
export function createBearerAuthentication<Claims extends object = Record<string, unknown>>(
  verifier: TokenVerifier<Claims> | TokenVerifierOptions<Claims>,
): (request: {
  /** Returns the value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
}) => Promise<VerifiedToken<Claims>> {
  const { verify } = 'verify' in verifier ? verifier : createTokenVerifier(verifier)
  return async ({ header }) => verify(parseBearer(header('authorization')))
}
