import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { expect } from 'vitest'
import { createKeyRing, type KeyRing } from '../src/tokens/key-ring.ts'
import { createSignatureVerifier } from '../src/tokens/verify-signature.ts'

const secret = 'a-secret-of-more-than-thirty-two-bytes'
const privateKeys = {
  EdDSA: generateKeyPairSync('ed25519').privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
}
type Algorithm = 'HS256' | keyof typeof privateKeys

export const algorithms: readonly Algorithm[] = ['HS256', 'EdDSA', 'ES256', 'RS256']

const base64url = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
/** Encodes a header or claims. */
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = (alg: Algorithm) => encode({ alg, typ: 'at+jwt' })

/** Signs the encoded header and claims of a token with a private key. */
export function signWith(key: KeyObject, input: string): string {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const signed = (alg: Algorithm, input: string) =>
  alg === 'HS256'
    ? `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    : signWith(privateKeys[alg], input)

function createRing(alg: Algorithm): KeyRing {
  if (alg !== 'HS256') return createKeyRing([{ alg, privateKey: privateKeys[alg] }])
  return createKeyRing(['another-secret-of-over-thirty-two-bytes', secret])
}

/** The payload that jose accepts under the additional rules of this package. */
async function reference(ring: KeyRing, token: string): Promise<string | undefined> {
  try {
    const parts = token.split('.')
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) || token.endsWith('\n')) return undefined
    if (Buffer.from(parts[2] ?? '', 'base64url').toString('base64url') !== parts[2]) return undefined
    const { alg = '', typ, crit, kid } = decodeProtectedHeader(token)
    if (typ !== 'at+jwt' || crit !== undefined || kid !== undefined) return undefined
    for (const { key } of await ring.find({ alg })) {
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
  const ring = createRing(alg)
  const verify = createSignatureVerifier(ring, 'at+jwt')
  const token = signed(alg, `${header(alg)}.${payload}`)
  expect(await outcome(verify, token)).toBe(Buffer.from('{"sub":"u1"}').toString('hex'))
  const compared = fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), async (mutations) => {
    const mutated = mutations.reduce((text, mutate) => (text === '' ? text : mutate(text)), token)
    expect(await outcome(verify, mutated)).toBe(await reference(ring, mutated))
  })
  await fc.assert(compared, options)
}

/** Compares the signature verifier with jose on arbitrary texts with a valid signature. */
export async function compareSignedTexts(alg: Algorithm, options: fc.Parameters<unknown>): Promise<void> {
  const ring = createRing(alg)
  const verify = createSignatureVerifier(ring, 'at+jwt')
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
    expect(await outcome(verify, token)).toBe(await reference(ring, token))
  })
  await fc.assert(compared, options)
}
