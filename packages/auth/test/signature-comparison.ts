import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import fc from 'fast-check'
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { expect } from 'vitest'
import { createKeyRing } from '../src/tokens/key-ring.ts'
import type { VerificationKeys } from '../src/tokens/verification-keys.ts'
import { createSignatureVerifier } from '../src/tokens/verify-signature.ts'

const secret = 'a-secret-of-more-than-thirty-two-bytes'
const createEcKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const ed25519 = generateKeyPairSync('ed25519').privateKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ringKeys = { EdDSA: ed25519, Ed25519: ed25519, ES256: createEcKey('P-256'), RS256: rsa }
/** The keys of algorithms that only remote keys have. */
const remoteKeys = {
  ...{ RS384: rsa, RS512: rsa, PS256: rsa },
  ...{ ES384: createEcKey('P-384'), ES512: createEcKey('P-521') },
}
type RingAlgorithm = keyof typeof ringKeys
type Algorithm = 'HS256' | RingAlgorithm | keyof typeof remoteKeys

export const algorithms: readonly Algorithm[] = [
  ...(['HS256', 'EdDSA', 'Ed25519', 'ES256', 'RS256'] as const),
  ...(['RS384', 'RS512', 'PS256', 'ES384', 'ES512'] as const),
]

const base64url = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
/** Encodes a header or claims. */
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = (alg: Algorithm) => encode({ alg, typ: 'at+jwt' })

/** Signs the encoded header and claims of a token with a private key. */
export function signWith(key: KeyObject, input: string, alg = 'RS256'): string {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : `sha${alg.slice(2)}`
  const padding = alg.startsWith('PS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {}
  const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363', ...padding })
  return `${input}.${signature.toString('base64url')}`
}

const signed = (alg: Algorithm, input: string) =>
  alg === 'HS256'
    ? `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    : signWith({ ...ringKeys, ...remoteKeys }[alg], input, alg)

async function createKeys(alg: Algorithm): Promise<VerificationKeys> {
  if (alg === 'HS256') return createKeyRing(['another-secret-of-over-thirty-two-bytes', secret])
  if (alg in ringKeys) {
    const ringAlg = alg as RingAlgorithm
    return createKeyRing([{ alg: ringAlg, privateKey: ringKeys[ringAlg] }])
  }
  const jwk = createPublicKey(remoteKeys[alg as keyof typeof remoteKeys]).export({ format: 'jwk' })
  const key = await importJWK(jwk, alg)
  return { version: 0, find: (hint) => (hint.alg === alg ? [{ alg, key }] : []) }
}

/** The payload that jose accepts under the additional rules of this package. */
async function reference(keys: VerificationKeys, token: string): Promise<string | undefined> {
  try {
    const parts = token.split('.')
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) || token.endsWith('\n')) return undefined
    if (Buffer.from(parts[2] ?? '', 'base64url').toString('base64url') !== parts[2]) return undefined
    const { alg = '', typ, crit, kid } = decodeProtectedHeader(token)
    if (typ !== 'at+jwt' || crit !== undefined || kid !== undefined) return undefined
    for (const { key } of await keys.find({ alg })) {
      const result = await compactVerify(token, key, { algorithms: [alg] }).catch(() => undefined)
      if (result !== undefined) return Buffer.from(result.payload).toString('hex')
    }
    return undefined
  } catch {
    return undefined
  }
}

async function outcome(verify: (token: string) => Uint8Array | Promise<Uint8Array>, token: string) {
  try {
    return Buffer.from(await verify(token)).toString('hex')
  } catch {
    return undefined
  }
}

const place = fc.nat(2000)
const character = fc.constantFrom(...base64url, '.', '=', ' ', '+', '/', '\n', 'é')
const mutation: fc.Arbitrary<(token: string) => string> = fc.oneof(
  fc.constant((token: string) => token),
  fc.tuple(place, character).map(([at, one]) => (token: string) => {
    const index = at % token.length
    return token.slice(0, index) + one + token.slice(index + 1)
  }),
  fc.tuple(place, character).map(([at, one]) => (token: string) => {
    const index = at % (token.length + 1)
    return token.slice(0, index) + one + token.slice(index)
  }),
  place.map((at) => (token: string) => {
    const index = at % token.length
    return token.slice(0, index) + token.slice(index + 1)
  }),
  place.map((at) => (token: string) => token.slice(0, at % token.length)),
  fc.constantFrom(...base64url).map((last) => (token: string) => token.slice(0, -1) + last),
)

const payload = encode({ sub: 'u1' })

/** Compares the signature verifier with jose on mutations of one valid token. */
export async function compareMutatedTokens(alg: Algorithm, options: fc.Parameters<unknown>): Promise<void> {
  const keys = await createKeys(alg)
  const verify = createSignatureVerifier(keys, 'at+jwt')
  const token = signed(alg, `${header(alg)}.${payload}`)
  expect(await outcome(verify, token)).toBe(Buffer.from('{"sub":"u1"}').toString('hex'))
  const compared = fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), async (mutations) => {
    const mutated = mutations.reduce((text, mutate) => (text === '' ? text : mutate(text)), token)
    expect(await outcome(verify, mutated)).toBe(await reference(keys, mutated))
  })
  await fc.assert(compared, options)
}

/** Compares the signature verifier with jose on arbitrary texts with a valid signature. */
export async function compareSignedTexts(alg: Algorithm, options: fc.Parameters<unknown>): Promise<void> {
  const keys = await createKeys(alg)
  const verify = createSignatureVerifier(keys, 'at+jwt')
  const text = fc.string({ unit: fc.constantFrom(...base64url), minLength: 1, maxLength: 24 })
  const headers = fc.oneof(
    fc.constant(header(alg)),
    fc
      .record({ alg: fc.constantFrom(alg, 'HS512', 'none'), typ: fc.constantFrom('at+jwt', 'JWT') })
      .map(encode),
    fc.constantFrom({ alg, typ: 'at+jwt', crit: ['b64'], b64: false }, [alg], null, alg).map(encode),
    text,
  )
  const compared = fc.asyncProperty(headers, text, async (first, second) => {
    const token = signed(alg, `${first}.${second}`)
    expect(await outcome(verify, token)).toBe(await reference(keys, token))
  })
  await fc.assert(compared, options)
}
