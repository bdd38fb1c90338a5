import { decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose'
import type { SigningAlgorithm } from './signing-key.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from './verification-keys.ts'

/** What a token has to be, when it is signed with an algorithm. */
export type OptionsFor = (algorithm: SigningAlgorithm) => JWTVerifyOptions

/** The claims of a token that one of the keys verifies; rejects otherwise. */
export type SignatureVerifier = (
  token: string,
  optionsFor: OptionsFor,
) => Promise<Readonly<Record<string, unknown>>>

/**
 * Verifies signatures with the keys that are found for a token.
 *
 * The algorithm is the key's, never the token's choice: a key is only tried when both agree (RFC 8725, section 3.1).
 */
export function createSignatureVerifier(keys: VerificationKeys): SignatureVerifier {
  const hints = new Map<string, KeyHint>()

  return async (token, optionsFor) => {
    if (!compact.test(token)) throw new Error('The token is not in the compact form of a signed JWT')
    const header = token.slice(0, token.indexOf('.'))
    const known = hints.get(header)
    const hint = known ?? hintOf(token)
    const found = keys.find(hint)
    const payload = await firstVerified(token, found instanceof Promise ? await found : found, optionsFor)
    if (known === undefined) remember(header, hint)
    return payload
  }

  /** The tokens of an issuer share few headers, and only what one of its keys has signed is kept. */
  function remember(header: string, hint: KeyHint): void {
    if (hints.size >= maxHeaders) hints.delete(hints.keys().next().value as string)
    // A part of a text may keep the whole of it in memory: here the token.
    hints.set(Buffer.from(header, 'latin1').toString('latin1'), hint)
  }
}

const maxHeaders = 64

async function firstVerified(token: string, keys: readonly VerificationKey[], optionsFor: OptionsFor) {
  let failure: Error | undefined
  for (const { alg, key } of keys) {
    try {
      const { payload } = await jwtVerify(token, key, optionsFor(alg))
      return payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      failure = error
    }
  }
  throw failure ?? new Error('No key has the algorithm and the kid of the token')
}

/**
 * Three parts in base64url, the last without spare bits. jose skips spaces and spare bits when it decodes, which would
 * give one signature many texts; the first two parts are signed as text.
 */
const compact =
  /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?=[A-Za-z0-9_-])(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/

function hintOf(token: string): KeyHint {
  const { alg, kid } = decodeProtectedHeader(token)
  // The kid comes from an unverified token: it may be of any type.
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) {
    throw new Error('The header names no algorithm, or its kid is no text')
  }
  return { alg, ...(kid !== undefined && { kid }) }
}
