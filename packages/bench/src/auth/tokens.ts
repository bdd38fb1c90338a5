import { createKeyRing, createTokenIssuer, type KeyInput, type KeyRing } from '@sallyport/auth'
import { createSecretKey, generateKeyPairSync, type KeyObject, type webcrypto } from 'node:crypto'

export type Algorithm = 'HS256' | keyof typeof keyPairs

/** The issuer and the audience of the tokens. */
export const parties = { issuer: 'https://api.example', audience: 'https://api.example' }

/** Tokens of one algorithm, and their verification key in the forms that the libraries accept. */
export interface TokenSet {
  readonly alg: Algorithm
  readonly tokens: readonly string[]
  readonly ring: KeyRing
  readonly keyObject: KeyObject
  readonly cryptoKey: webcrypto.CryptoKey
  /** The bytes of a secret, or the PEM text of a public key. */
  readonly keyText: Buffer | string
}

/** Signs a number of different tokens. */
export async function createTokens(alg: Algorithm, count: number): Promise<TokenSet> {
  const keys = createKeys(alg)
  const ring = createKeyRing([keys.signs])
  const issuer = createTokenIssuer({ keys: ring, ...parties, lifetimeSeconds: 24 * 3600 })
  const tokens: string[] = []
  for (let made = 0; made < count; made++) {
    const { token } = await issuer.issue({ sub: `user-${made}`, sid: `session-${made}`, role: 'user' })
    tokens.push(token)
  }
  return { alg, tokens, ring, ...keys }
}

function createKeys(
  alg: Algorithm,
): Pick<TokenSet, 'keyObject' | 'cryptoKey' | 'keyText'> & { signs: KeyInput } {
  if (alg === 'HS256') {
    const keyText = Buffer.alloc(32, 'secret')
    const keyObject = createSecretKey(keyText)
    const cryptoKey = keyObject.toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    return { signs: keyText, keyObject, cryptoKey, keyText }
  }
  const { create, params } = keyPairs[alg]
  const { privateKey, publicKey: keyObject } = create()
  return {
    signs: { alg, privateKey },
    keyObject,
    cryptoKey: keyObject.toCryptoKey(params, true, ['verify']),
    keyText: keyObject.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const keyPairs = {
  EdDSA: { create: () => generateKeyPairSync('ed25519'), params: { name: 'Ed25519' } },
  ES256: {
    create: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    params: { name: 'ECDSA', namedCurve: 'P-256' },
  },
  RS256: {
    create: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    params: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
} as const
