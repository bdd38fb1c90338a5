import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  KeyObject,
  type JsonWebKey,
} from 'node:crypto'
import { secretOption, textOption } from '../options.ts'
import type { JsonWebKeyInput, NodeKeyObject, UsableKey } from './key-types.ts'
import { usableKey } from './usable-key.ts'

/** The algorithms that sign access tokens (RFC 7518, RFC 8037). Ed25519 is the name of EdDSA since RFC 9864. */
export type SigningAlgorithm = 'HS256' | 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256'

/** A secret that signs and verifies. */
interface SecretKeyInput {
  readonly alg: 'HS256'
  /** @default derived from the secret with a one-way function */
  readonly kid?: string
  /** At least 32 bytes. A string is used as UTF-8. */
  readonly secret: string | Uint8Array
}

/** A private key, which signs and verifies. */
export interface PrivateKeyInput {
  readonly alg: Exclude<SigningAlgorithm, 'HS256'>
  /** @default the `kid` of a JSON Web Key, else the thumbprint of the key (RFC 7638) */
  readonly kid?: string
  /** PEM text, a JSON Web Key, or a `KeyObject`. RSA keys need at least 2048 bits. */
  readonly privateKey: string | JsonWebKeyInput | NodeKeyObject
}

/** A public key, which only verifies. */
interface PublicKeyInput {
  readonly alg: Exclude<SigningAlgorithm, 'HS256'>
  /** @default the `kid` of a JSON Web Key, else the thumbprint of the key (RFC 7638) */
  readonly kid?: string
  /** PEM text, a JSON Web Key, or a `KeyObject`. RSA keys need at least 2048 bits. */
  readonly publicKey: string | JsonWebKeyInput | NodeKeyObject
}

/** A key of a ring. A string or bytes are an HS256 secret. */
export type KeyInput = string | Uint8Array | SecretKeyInput | PrivateKeyInput | PublicKeyInput

/** A public key as a member of a JSON Web Key Set (RFC 7517). */
export interface PublicJwk {
  readonly kty: string
  readonly kid: string
  readonly alg: Exclude<SigningAlgorithm, 'HS256'>
  readonly use: 'sig'
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly e?: string
  readonly n?: string
}

/** A validated and imported key. */
export interface ImportedKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly verifyKey: UsableKey
  readonly signKey?: UsableKey
  readonly publicJwk?: PublicJwk
}

/** Validates and imports one key of a ring; throws a `TypeError` for a weak key or another algorithm. */
export function importKey(input: KeyInput, name: string): ImportedKey {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    return importSecret({ alg: 'HS256', secret: input }, name)
  }
  if ('secret' in input) return importSecret(input, name)
  return importKeyPair(input, name)
}

function importSecret({ alg, kid, secret }: SecretKeyInput, name: string): ImportedKey {
  if ((alg as string) !== 'HS256') throw new TypeError(`${name} is a secret: its alg must be HS256`)
  const bytes = secretOption(name, secret)
  const key = usableKey(createSecretKey(bytes), { name: 'HMAC', hash: 'SHA-256' }, ['sign', 'verify'])
  return { kid: textOption(`${name}.kid`, kid ?? secretKid(bytes)), alg, verifyKey: key, signKey: key }
}

// An HMAC with the secret, truncated to 128 bits, reveals no more of the secret than the signature of a token. The label
// has no dot, so it cannot be the signing input of a token.
function secretKid(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('sallyport:kid').digest().subarray(0, 16).toString('base64url')
}

function importKeyPair(input: PrivateKeyInput | PublicKeyInput, name: string): ImportedKey {
  const { alg } = input
  const algorithm = asymmetric[alg] as (typeof asymmetric)[typeof alg] | undefined
  if (algorithm === undefined)
    throw new TypeError(`${name}.alg must be HS256, EdDSA, Ed25519, ES256 or RS256`)
  const privateKey = 'privateKey' in input ? readKey(input.privateKey, 'private', name) : undefined
  const publicKey =
    'publicKey' in input ? readKey(input.publicKey, 'public', name) : createPublicKey(privateKey as KeyObject)
  if (!algorithm.fits(publicKey))
    throw new TypeError(`${name} is not a key for ${alg}: use ${algorithm.needs}`)
  const declared = 'publicKey' in input ? input.publicKey : input.privateKey
  const ownKid = declaredKid(declared, alg, 'publicKey' in input ? 'verify' : 'sign', name)
  const jwk = publicMembers(publicKey)
  const kid = textOption(`${name}.kid`, input.kid ?? ownKid ?? thumbprint(jwk))
  return {
    kid,
    alg,
    verifyKey: usableKey(publicKey, algorithm.params, ['verify']),
    publicJwk: { ...jwk, kid, alg, use: 'sig' },
    ...(privateKey && { signKey: usableKey(privateKey, algorithm.params, ['sign']) }),
  }
}

const ed25519 = {
  needs: 'an Ed25519 key',
  params: { name: 'Ed25519' },
  fits: (key: KeyObject) => key.asymmetricKeyType === 'ed25519',
}

const asymmetric = {
  EdDSA: ed25519,
  Ed25519: ed25519,
  ES256: {
    needs: 'an EC key on the curve P-256',
    params: { name: 'ECDSA', namedCurve: 'P-256' },
    fits: (key: KeyObject) =>
      key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  },
  RS256: {
    needs: 'an RSA key of at least 2048 bits',
    params: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    fits: (key: KeyObject) =>
      key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
  },
} as const

function readKey(
  key: string | JsonWebKeyInput | NodeKeyObject,
  type: 'private' | 'public',
  name: string,
): KeyObject {
  const read = type === 'private' ? createPrivateKey : createPublicKey
  let object: KeyObject
  try {
    if (key instanceof KeyObject) object = key
    else if (typeof key === 'string') object = read(key)
    else object = read({ key: key as JsonWebKey, format: 'jwk' })
  } catch {
    // The original error may contain the key, so it is not set as the cause.
    throw new TypeError(`${name} is not a readable ${type} key in PEM or JWK format`)
  }
  if (object.type !== type) throw new TypeError(`${name} must be a ${type} key`)
  return object
}

/** The names of one algorithm. RFC 9864 names it after the curve, and WebCrypto exports that name. */
export const ed25519Names: ReadonlySet<unknown> = new Set(['EdDSA', 'Ed25519'])

/**
 * Returns the `kid` of a JSON Web Key after checking that its `use`, `key_ops` and `alg` allow the operation (RFC 7517,
 * section 4). Undefined for keys in another format.
 *
 * @throws TypeError when a member forbids the operation or has another type
 */
export function declaredKid(
  key: string | JsonWebKeyInput | NodeKeyObject,
  alg: PrivateKeyInput['alg'],
  operation: 'sign' | 'verify',
  name: string,
): string | undefined {
  if (typeof key === 'string' || key instanceof KeyObject) return undefined
  const { kid, use, key_ops: operations, alg: declared } = key as Readonly<Record<string, unknown>>
  const isDeclared = declared === alg || (ed25519Names.has(alg) && ed25519Names.has(declared))
  if (declared !== undefined && !isDeclared)
    throw new TypeError(`${name} is for ${alg}, and the alg of the JSON Web Key is another`)
  if (use !== undefined && use !== 'sig')
    throw new TypeError(`${name} is not for signatures: the use of the JSON Web Key is not "sig"`)
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes(operation)))
    throw new TypeError(`${name} is not for signatures: the key_ops of the JSON Web Key lack "${operation}"`)
  return kid === undefined ? undefined : textOption(`${name}.kid`, kid)
}

type PublicMembers = Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y' | 'e' | 'n'>

function publicMembers(publicKey: KeyObject): PublicMembers {
  const { kty = '', crv, x, y, e, n } = publicKey.export({ format: 'jwk' })
  return {
    kty,
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(e !== undefined && { e }),
    ...(n !== undefined && { n }),
  }
}

/** Computes the SHA-256 thumbprint of a public key (RFC 7638): its required members in lexicographic order. */
function thumbprint(jwk: PublicMembers): string {
  const { kty, crv, x, y, e, n } = jwk
  return createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest('base64url')
}
