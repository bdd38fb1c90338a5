import { constants, createHmac, timingSafeEqual, verify, type KeyObject } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { getNodeKey } from './usable-key.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from './verification-keys.ts'

/**
 * Verifies the type and the signature of a token and returns its payload; throws or rejects for an invalid token.
 */
export type SignatureVerifier = (token: string) => Uint8Array | Promise<Uint8Array>

/**
 * Creates a function that verifies signatures with the keys that a token names.
 *
 * The key decides the algorithm: a token with another algorithm is rejected (RFC 8725, section 3.1).
 *
 * @param typ the required `typ` header, in any case, with or without `application/` (RFC 7515, section 4.1.9);
 *   a token without `typ` is a JWT
 */
export function createSignatureVerifier(keys: VerificationKeys, typ: string): SignatureVerifier {
  const mediaType = toMediaType(typ)
  /** Parsed headers with the following dot. */
  const known: { readonly header: string; readonly hint: KeyHint }[] = []

  return (token) => {
    requireCanonical(token)
    const hint = known.find(({ header }) => token.startsWith(header))?.hint
    if (hint === undefined) return verifyFirst(token)
    const found = keys.find(hint)
    return found instanceof Promise
      ? found.then((keys) => verifyWith(hint.alg, keys, token))
      : verifyWith(hint.alg, found, token)
  }

  async function verifyFirst(token: string): Promise<Uint8Array> {
    const header = token.slice(0, token.indexOf('.') + 1)
    const hint = readHeader(token, mediaType)
    const payload = await verifyWith(hint.alg, await keys.find(hint), token)
    // Only headers of tokens with a valid signature are kept. The tokens of an issuer share few headers.
    if (known.length >= maxHeaders) known.shift()
    // A substring may keep the whole token in memory, so the header is copied.
    known.push({ header: Buffer.from(header, 'latin1').toString('latin1'), hint })
    return payload
  }
}

const maxHeaders = 64

function verifyWith(
  alg: string,
  keys: readonly VerificationKey[],
  token: string,
): Uint8Array | Promise<Uint8Array> {
  const nodeKeys = keys.map((one) => (one.alg === alg ? getNodeKey(one.alg, one.key) : undefined))
  return keys.length > 0 && nodeKeys.every((key) => key !== undefined)
    ? verifyOnNode(alg, nodeKeys, token)
    : verifyAny(keys, token)
}

/** Verifies synchronously: the thread pool of WebCrypto takes about as long as a signature, and much longer than an HMAC. */
function verifyOnNode(alg: string, keys: readonly KeyObject[], token: string): Uint8Array {
  const [headerEnd, payloadEnd] = [token.indexOf('.'), token.lastIndexOf('.')]
  const payload = token.slice(headerEnd + 1, payloadEnd)
  // Buffer ignores a single remaining character.
  if (payload.length % 4 === 1) throw new Error('The payload is not base64url')
  const input = token.slice(0, payloadEnd)
  const signature = Buffer.from(token.slice(payloadEnd + 1), 'base64url')
  const matches = (key: KeyObject) =>
    alg === 'HS256' ? matchesHmac(key, input, signature) : matchesPublicKey(alg, key, input, signature)
  if (!keys.some(matches)) throw new Error('The signature does not match')
  return Buffer.from(payload, 'base64url')
}

function matchesHmac(key: KeyObject, input: string, signature: Buffer): boolean {
  const expected = createHmac('sha256', key).update(input, 'latin1').digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

function matchesPublicKey(alg: string, key: KeyObject, input: string, signature: Buffer): boolean {
  // The digits of the other algorithms are the bits of SHA-2.
  const hash = key.asymmetricKeyType === 'ed25519' ? null : `sha${alg.slice(2)}`
  const options = { key, dsaEncoding: 'ieee-p1363', ...(alg === 'PS256' && pss) } as const
  return verify(hash, Buffer.from(input, 'latin1'), options, signature)
}

/** RFC 7518, section 3.5: the salt is as long as the hash. */
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

async function verifyAny(keys: readonly VerificationKey[], token: string): Promise<Uint8Array> {
  for (const one of keys) {
    try {
      return (await compactVerify(token, one.key, { algorithms: [one.alg] })).payload
    } catch (error) {
      if (one === keys.at(-1)) throw error
    }
  }
  throw new Error('No key has the algorithm and the kid of the token')
}

/**
 * Rejects non-canonical base64url: jose ignores spaces, padding and spare bits, so one signature would have several
 * encodings. The spare bits of header and payload are part of the signed text.
 */
function requireCanonical(token: string): void {
  if (!compact.test(token)) throw new Error('The token is not three parts of base64url')
  const signature = token.length - token.lastIndexOf('.') - 1
  if (!endings[signature % 4]?.includes(token.at(-1) ?? '')) throw new Error('The signature has spare bits')
}

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The last characters without spare bits, by length modulo 4: with 2 there are 4 spare bits, with 3 there are 2. */
const endings = [base64url, '', 'AQgw', 'AEIMQUYcgkosw048']

function readHeader(token: string, mediaType: string): KeyHint {
  const { alg, kid, typ, crit } = decodeProtectedHeader(token)
  // The header is unverified, so its members may have any type.
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string')) {
    throw new Error('The header has no alg, or a kid that is not a string')
  }
  if (!isOfType(typ, mediaType)) {
    throw new Error('The token has another type')
  }
  // No extension is supported, including an unencoded payload (RFC 7797).
  if (crit !== undefined) throw new Error('The header requires an extension')
  return { alg, ...(kid !== undefined && { kid }) }
}

function isOfType(typ: unknown, mediaType: string): boolean {
  return typ === undefined
    ? mediaType === plainJwt
    : typeof typ === 'string' && toMediaType(typ) === mediaType
}

/** The type of a token without the optional `typ` header (RFC 7519, section 5.1). */
const plainJwt = 'application/jwt'

function toMediaType(typ: string): string {
  const lower = typ.toLowerCase()
  return lower.includes('/') ? lower : `application/${lower}`
}
