import { createPrivateKey, createPublicKey, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import { declaredKid, type PrivateKeyInput } from './signing-key.ts'

type Algorithm = PrivateKeyInput['alg']

/**
 * Reads private keys from PEM blocks (PKCS#8), a JSON Web Key, or a JSON Web Key Set (RFC 7517).
 *
 * The key determines the algorithm: EdDSA for Ed25519, ES256 for P-256, RS256 for RSA with at least 2048 bits. A JSON Web
 * Key may have a matching `alg` and a `kid`; its `use` and `key_ops` must allow signatures.
 *
 * @param text one of the formats; the order of the keys is preserved
 * @returns input for {@link createKeyRing}
 * @throws TypeError for text without keys, and for a key that is malformed, encrypted, public, too short or of another
 *   type; the message never contains the text
 * @see https://www.rfc-editor.org/rfc/rfc7517#section-5
 *
 * @example
 * ```ts
 * import { createKeyRing, readPrivateKeys } from '@sallyport/auth'
 *
 * const keys = createKeyRing(readPrivateKeys(process.env.JWT_KEYS ?? ''))
 * ```
 */
export function readPrivateKeys(text: string): readonly PrivateKeyInput[] {
  const inputs = text.trimStart().startsWith('{') ? readJwks(text) : readPem(text)
  if (inputs.length === 0) throw new TypeError('has no private key: use PEM (PKCS#8) or a JSON Web Key')
  return inputs.map((input, index) => readKey(input, inputs.length === 1 ? 'the key' : `key ${index + 1}`))
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

function readPem(text: string): readonly string[] {
  if (text.replaceAll(pemBlock, '').trim() !== '') {
    throw new TypeError('is neither PEM nor JSON: use PEM (PKCS#8) with line breaks, or a JSON Web Key')
  }
  return text.match(pemBlock) ?? []
}

function readJwks(text: string): readonly JsonWebKey[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // The message of the parser would contain the text.
    throw new TypeError('is not valid JSON')
  }
  const { keys } = parsed as { keys?: unknown }
  const all: readonly unknown[] = Array.isArray(keys) ? keys : [parsed]
  if (!all.every((key) => typeof key === 'object' && key !== null)) {
    throw new TypeError('is a JSON Web Key Set with a member that is not a key')
  }
  return all as readonly JsonWebKey[]
}

function readKey(input: string | JsonWebKey, name: string): PrivateKeyInput {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(typeof input === 'string' ? input : { key: input, format: 'jwk' })
  } catch {
    // The original error may contain the key, so it is not set as the cause.
    throw new TypeError(`${name} is not a readable, unencrypted private key in PEM or JWK format`)
  }
  const alg = getAlgorithm(privateKey, name)
  const kid = declaredKid(input, alg, 'sign', name)
  if (!isConsistent(privateKey)) throw new TypeError(`${name} has a public part that does not match`)
  return { alg, privateKey, ...(kid !== undefined && { kid }) }
}

const minRsaBits = 2048

function getAlgorithm(key: KeyObject, name: string): Algorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key
  if (type === 'ed25519') return 'EdDSA'
  if (type === 'ec' && namedCurve === 'prime256v1') return 'ES256'
  if (type === 'rsa') {
    if (modulusLength >= minRsaBits) return 'RS256'
    throw new TypeError(`${name} is an RSA key of ${modulusLength} bits; it needs at least ${minRsaBits}`)
  }
  throw new TypeError(`${name} has an unsupported type: use Ed25519, EC on P-256, or RSA`)
}

/** Checks that the public part of a JSON Web Key matches its private part. */
function isConsistent(privateKey: KeyObject): boolean {
  const probe = Buffer.from('probe')
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  try {
    return verify(hash, probe, createPublicKey(privateKey), sign(hash, probe, privateKey))
  } catch {
    return false
  }
}
