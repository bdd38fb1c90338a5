import { createPrivateKey, createPublicKey, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import { declaredKid, type PrivateKeyInput } from './signing-key.ts'

type Algorithm = PrivateKeyInput['alg']

/**
 * Reads private keys from a text: PEM blocks (PKCS#8), a JSON Web Key, or a JSON Web Key Set (RFC 7517).
 *
 * The algorithm follows from the key: EdDSA of Ed25519, ES256 of P-256, RS256 of RSA with at least 2048 bits. A JSON
 * Web Key may repeat it as `alg`, and name itself by `kid`; its `use` and `key_ops` must allow signatures.
 *
 * @param text one form, not a mixture; the order of the keys is kept
 * @returns what {@link createKeyRing} takes
 * @throws TypeError for a text without keys, and for a key that is not readable, encrypted, public, too short, or of
 *   another kind; the message never shows a part of the text
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
  if (inputs.length === 0) throw new TypeError('holds no private key: give PEM (PKCS#8) or a JSON Web Key')
  return inputs.map((input, index) => readKey(input, inputs.length === 1 ? 'the key' : `key ${index + 1}`))
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

function readPem(text: string): readonly string[] {
  if (text.replaceAll(pemBlock, '').trim() !== '') {
    throw new TypeError('is neither PEM nor JSON: give PEM (PKCS#8) with its line breaks, or a JSON Web Key')
  }
  return text.match(pemBlock) ?? []
}

function readJwks(text: string): readonly JsonWebKey[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // The parser's own message would quote the text.
    throw new TypeError('is not valid JSON')
  }
  const { keys } = parsed as { keys?: unknown }
  const all: readonly unknown[] = Array.isArray(keys) ? keys : [parsed]
  if (!all.every((key) => typeof key === 'object' && key !== null)) {
    throw new TypeError('is a JSON Web Key Set with a member that is no key')
  }
  return all as readonly JsonWebKey[]
}

function readKey(input: string | JsonWebKey, name: string): PrivateKeyInput {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(typeof input === 'string' ? input : { key: input, format: 'jwk' })
  } catch {
    // The reader's own error can quote the key, so it is not passed on as a cause.
    throw new TypeError(`${name} is not readable as a private key in PEM or JWK form, without encryption`)
  }
  const alg = algorithmOf(privateKey, name)
  const kid = declaredKid(input, alg, 'sign', name)
  if (!isConsistent(privateKey)) throw new TypeError(`${name} has a public part that is not its own`)
  return { alg, privateKey, ...(kid !== undefined && { kid }) }
}

const minRsaBits = 2048

function algorithmOf(key: KeyObject, name: string): Algorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key
  if (type === 'ed25519') return 'EdDSA'
  if (type === 'ec' && namedCurve === 'prime256v1') return 'ES256'
  if (type === 'rsa') {
    if (modulusLength >= minRsaBits) return 'RS256'
    throw new TypeError(`${name} is an RSA key of ${modulusLength} bits; it needs at least ${minRsaBits}`)
  }
  throw new TypeError(`${name} is of a kind that is not supported: use Ed25519, EC on P-256, or RSA`)
}

/** A JSON Web Key states both parts, and nothing but its author sees to it that they belong together. */
function isConsistent(privateKey: KeyObject): boolean {
  const probe = Buffer.from('probe')
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  try {
    return verify(hash, probe, createPublicKey(privateKey), sign(hash, probe, privateKey))
  } catch {
    return false
  }
}
