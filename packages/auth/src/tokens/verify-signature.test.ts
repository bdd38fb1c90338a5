import { KeyObject, webcrypto } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  algorithms,
  compareMutatedTokens,
  compareSignedTexts,
  encode,
  signWith,
} from '../../test/signature-comparison.ts'
import type { VerificationAlgorithm } from './verification-keys.ts'
import { createSignatureVerifier } from './verify-signature.ts'

describe.each(algorithms)('the signature verifier for %s', (alg) => {
  it('accepts and rejects the same mutated tokens as jose', { timeout: 60_000 }, () =>
    compareMutatedTokens(alg, { numRuns: 500 }),
  )

  it('accepts and rejects the same signed texts as jose', { timeout: 60_000 }, () =>
    compareSignedTexts(alg, { numRuns: 300 }),
  )
})

describe('a key that does not fit its algorithm', () => {
  const rsa = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }
  const sha256 = { hash: 'SHA-256' }
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' }
  const rs256 = { name: 'RSASSA-PKCS1-v1_5', ...rsa, ...sha256 }

  it.each<[string, VerificationAlgorithm, string, Parameters<typeof webcrypto.subtle.generateKey>[0]]>([
    ['RSA-PSS', 'RS256', 'RS256', { name: 'RSA-PSS', ...rsa, ...sha256 }],
    ['RSA-PKCS1', 'PS256', 'PS256', rs256],
    ['RSA-PSS with SHA-512', 'PS256', 'PS256', { name: 'RSA-PSS', ...rsa, hash: 'SHA-512' }],
    ['RSA with SHA-256', 'RS512', 'RS512', rs256],
    ['RSA with SHA-512', 'RS256', 'RS256', { ...rs256, hash: 'SHA-512' }],
    ['RSA under 2048 bits', 'RS256', 'RS256', { ...rs256, modulusLength: 1024 }],
    ['an RSA key', 'ES256', 'ES256', rs256],
    ['a shorter curve', 'ES512', 'ES512', ecdsa],
    ['the name of another key', 'Ed25519', 'Ed25519', ecdsa],
    ['another curve', 'ES256', 'ES256', { name: 'ECDSA', namedCurve: 'P-384' }],
    ['an EC key', 'EdDSA', 'EdDSA', ecdsa],
    ['a header without an algorithm', 'ES256', 'none', ecdsa],
    ['a header with another algorithm', 'ES256', 'HS256', ecdsa],
  ])('verifies nothing: %s', async (_, alg, headerAlg, algorithm) => {
    const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    if (!('privateKey' in pair)) throw new TypeError('The algorithm has no key pair')
    const input = `${encode({ alg: headerAlg, typ: 'JWT' })}.${encode({ sub: 'user-1' })}`
    const token = signWith(KeyObject.from(pair.privateKey), input)
    const keys = { version: 0, find: () => [{ alg, key: pair.publicKey }] }
    const verify = async () => createSignatureVerifier(keys, 'JWT')(token)
    await expect(verify()).rejects.toThrow()
  })
})
