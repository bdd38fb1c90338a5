import type { VerifiedToken } from '../tokens/claims.ts'
import type { TokenVerifier } from '../tokens/token-verifier.ts'
import { parseBearer } from './parse-bearer.ts'

/**
 * Creates a function that authenticates requests by their bearer token, for `authenticate` of `createApi`.
 *
 * The function throws SallyportError 401 `TOKEN_MISSING` or `INVALID_TOKEN`, and 503 `SERVICE_UNAVAILABLE` when keys or
 * revocations are unavailable.
 *
 * @example
 * ```ts
 * import { createBearerAuthentication, type TokenVerifier } from '@sallyport/auth'
 *
 * declare const verifier: TokenVerifier<{ role: string }>
 * const authenticate = createBearerAuthentication(verifier)
 * const { sub } = await authenticate({ header: () => 'Bearer …' })
 * ```
 */
export function createBearerAuthentication<Claims>(verifier: TokenVerifier<Claims>): (request: {
  /** Returns the value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
}) => VerifiedToken<Claims> | Promise<VerifiedToken<Claims>> {
  return ({ header }) => {
    const token = parseBearer(header('authorization'))
    return verifier.verifyCached(token) ?? verifier.verify(token)
  }
}
