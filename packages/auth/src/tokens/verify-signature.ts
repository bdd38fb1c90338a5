import { compactVerify, decodeProtectedHeader, errors, type CompactVerifyResult } from 'jose'
import type { SigningAlgorithm } from './signing-key.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from './verification-keys.ts'

/** A token of the right type that one of the keys verifies; throws or rejects otherwise. */
export type SignatureVerifier = (token: string) => Promise<CompactVerifyResult>

/**
 * Verifies signatures with the keys that are found for a token.
 *
 * The algorithm is the key's, never the token's choice: a key is only tried when both agree (RFC 8725, section 3.1).
 *
 * @param typ what the `typ` header must be, in any case, with or without `application/` (RFC 7515, section 4.1.9);
 *   a token without one is a JWT
 */
export function createSignatureVerifier(keys: VerificationKeys, typ: string): SignatureVerifier {
  const mediaType = toMediaType(typ)
  /** Headers that were read before, each with the dot behind it. */
  const known: { readonly header: string; readonly hint: KeyHint }[] = []

  return (token) => {
    requireCanonical(token)
    const hint = known.find(({ header }) => token.startsWith(header))?.hint
    if (hint === undefined) return verifyFirst(token)
    const found = keys.find(hint)
    return found instanceof Promise ? found.then((keys) => verifyWith(keys, token)) : verifyWith(found, token)
  }

  async function verifyFirst(token: string): Promise<CompactVerifyResult> {
    const header = token.slice(0, token.indexOf('.') + 1)
    const hint = readHeader(token, mediaType)
    const result = await verifyWith(await keys.find(hint), token)
    // The tokens of an issuer share few headers, and only what one of its keys has signed is kept.
    if (known.length >= maxHeaders) known.shift()
    // A part of a text may keep the whole of it in memory: here the token.
    known.push({ header: Buffer.from(header, 'latin1').toString('latin1'), hint })
    return result
  }
}

const maxHeaders = 64

/** Without a promise of its own for the one key that is usual. */
function verifyWith(keys: readonly VerificationKey[], token: string): Promise<CompactVerifyResult> {
  const [first] = keys
  if (first === undefined) throw new Error('No key has the algorithm and the kid of the token')
  return keys.length === 1 ? compactVerify(token, first.key, pinned[first.alg]) : verifyWithAny(keys, token)
}

async function verifyWithAny(keys: readonly VerificationKey[], token: string): Promise<CompactVerifyResult> {
  let failure: Error | undefined
  for (const { alg, key } of keys) {
    try {
      return await compactVerify(token, key, pinned[alg])
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      failure = error
    }
  }
  throw failure ?? new Error('There was no key to try')
}

const pinned: Readonly<Record<SigningAlgorithm, { algorithms: string[] }>> = {
  HS256: { algorithms: ['HS256'] },
  EdDSA: { algorithms: ['EdDSA'] },
  ES256: { algorithms: ['ES256'] },
  RS256: { algorithms: ['RS256'] },
}

/**
 * Refuses base64url that could be spelled otherwise: jose skips spaces, padding and spare bits when it decodes it, which
 * would give one signature many texts. The spare bits of header and payload are signed with the rest of their texts.
 */
function requireCanonical(token: string): void {
  if (!compact.test(token)) throw new Error('The token is not three parts of plain base64url')
  const signature = token.length - token.lastIndexOf('.') - 1
  if (!endings[signature % 4]?.includes(token.at(-1) ?? '')) throw new Error('The signature has spare bits')
}

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** What a part may end with, by the characters beyond whole groups of 4: of 2 the last one has 4 spare bits, of 3 it has 2. */
const endings = [base64url, '', 'AQgw', 'AEIMQUYcgkosw048']

function readHeader(token: string, mediaType: string): KeyHint {
  const { alg, kid, typ, crit } = decodeProtectedHeader(token)
  // The header comes from an unverified token: everything in it may be of any type.
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) {
    throw new Error('The header names no algorithm, or its kid is no text')
  }
  if (!isOfType(typ, mediaType)) {
    throw new Error('The token is of another type')
  }
  // No extension is understood here, that which leaves the payload unencoded (RFC 7797) included.
  if (crit !== undefined) throw new Error('The header demands an extension')
  return { alg, ...(kid !== undefined && { kid }) }
}

function isOfType(typ: unknown, mediaType: string): boolean {
  return typ === undefined
    ? mediaType === plainJwt
    : typeof typ === 'string' && toMediaType(typ) === mediaType
}

/** What a token is without a type: the header is optional (RFC 7519, section 5.1). */
const plainJwt = 'application/jwt'

function toMediaType(typ: string): string {
  const lower = typ.toLowerCase()
  return lower.includes('/') ? lower : `application/${lower}`
}
