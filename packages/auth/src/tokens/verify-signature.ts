import { decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose'
import type { KeyHint, VerificationKeys } from './verification-keys.ts'

/**
 * The claims of a token that one of the keys verifies; rejects otherwise.
 *
 * The algorithm is the key's, never the token's choice: a key is only tried when both agree (RFC 8725, section 3.1).
 */
export async function verifySignature(
  token: string,
  keys: VerificationKeys,
  options: JWTVerifyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isCompact(token)) throw new Error('The token is not in the compact form of a signed JWT')
  let failure: unknown = new Error('No key has the algorithm and the kid of the token')
  for (const { alg, key } of await keys.find(hintOf(token))) {
    try {
      const { payload } = await jwtVerify(token, key, { ...options, algorithms: [alg] })
      return payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      failure = error
    }
  }
  throw failure
}

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/

/**
 * Whether a token is three parts in base64url. jose skips spaces and spare bits when it decodes, which would give one
 * signature many texts; the first two parts are signed as text.
 */
function isCompact(token: string): boolean {
  const signature = compact.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function hintOf(token: string): KeyHint {
  const { alg, kid } = decodeProtectedHeader(token)
  // The kid comes from an unverified token: it may be of any type.
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) {
    throw new Error('The header names no algorithm, or its kid is no text')
  }
  return { alg, ...(kid !== undefined && { kid }) }
}
