import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import type { KeyInput } from './signing-key.ts'
import { createTokenIssuer } from './token-issuer.ts'
import { createTokenVerifier } from './token-verifier.ts'

const secret = 'a-secret-of-more-than-thirty-two-bytes'
const ed = generateKeyPairSync('ed25519')
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

describe('createKeyRing', () => {
  it('signs with the first key and verifies with all keys', () => {
    const ring = createKeyRing([{ alg: 'EdDSA', privateKey: ed.privateKey }, secret])
    expect(ring.signer?.alg).toBe('EdDSA')
    expect(ring.find({ alg: 'HS256' })).toHaveLength(1)
    expect(ring.find({ alg: 'EdDSA' })).toHaveLength(1)
    expect(ring.find({ alg: 'EdDSA', kid: 'another' })).toHaveLength(0)
  })

  it('derives the kid of a secret deterministically without revealing the secret', () => {
    const kid = createKeyRing([secret]).signer!.kid
    expect(createKeyRing([Buffer.from(secret)]).signer!.kid).toBe(kid)
    expect(createKeyRing([`${secret}2`]).signer!.kid).not.toBe(kid)
    expect(kid).toMatch(/^[A-Za-z0-9_-]{22}$/)
  })

  it.each([
    ['EdDSA', ed],
    ['ES256', ec],
    ['RS256', rsa],
  ] as const)('names a key of %s by its thumbprint, in any form that it is given', async (alg, pair) => {
    const kid = await calculateJwkThumbprint(pair.publicKey.export({ format: 'jwk' }))
    const forms: KeyInput[] = [
      { alg, privateKey: pair.privateKey },
      { alg, privateKey: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string },
      { alg, privateKey: pair.privateKey.export({ format: 'jwk' }) },
      { alg, publicKey: pair.publicKey },
      { alg, publicKey: pair.publicKey.export({ format: 'pem', type: 'spki' }) as string },
      { alg, publicKey: pair.publicKey.export({ format: 'jwk' }) },
    ]
    for (const form of forms) expect(createKeyRing([form]).jwks().keys[0]?.kid).toBe(kid)
  })

  it('publishes only public members', () => {
    const ring = createKeyRing([
      secret,
      { alg: 'EdDSA', privateKey: ed.privateKey, kid: 'ed' },
      { alg: 'ES256', privateKey: ec.privateKey, kid: 'ec' },
      { alg: 'RS256', privateKey: rsa.privateKey, kid: 'rsa' },
    ])
    expect(ring.jwks().keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })

  it('has no signer when the first key is public', () => {
    expect(createKeyRing([{ alg: 'EdDSA', publicKey: ed.publicKey }, secret]).signer).toBeUndefined()
  })

  it.each<[string, readonly KeyInput[]]>([
    ['at least one key', []],
    ['at most 16 keys', Array.from({ length: 17 }, (_, index) => `${secret}${index}`)],
    ['is empty: set it', ['']],
    ['31 bytes; it needs at least 32', ['x'.repeat(31)]],
    ['31 bytes', [new Uint8Array(31)]],
    ['PEM key', [ed.publicKey.export({ format: 'pem', type: 'spki' })]],
    ['repeats a kid', [secret, secret]],
    ['must be a private key', [{ alg: 'EdDSA', privateKey: ed.publicKey }]],
    ['must be a public key', [{ alg: 'EdDSA', publicKey: ed.privateKey }]],
    ['not a key for ES256', [{ alg: 'ES256', privateKey: ed.privateKey }]],
    ['not a key for EdDSA', [{ alg: 'EdDSA', privateKey: rsa.privateKey }]],
    ['curve P-256', [{ alg: 'ES256', ...generateKeyPairSync('ec', { namedCurve: 'P-384' }) }]],
    ['2048 bits', [{ alg: 'RS256', ...generateKeyPairSync('rsa', { modulusLength: 1024 }) }]],
    ['not a key for RS256', [{ alg: 'RS256', ...generateKeyPairSync('rsa-pss', { modulusLength: 2048 }) }]],
    ['not a readable', [{ alg: 'RS256', publicKey: 'nonsense' }]],
    ['alg must be', [{ alg: 'none' as 'RS256', publicKey: rsa.publicKey }]],
    ['its alg must be HS256', [{ alg: 'RS256' as 'HS256', secret }]],
    ['kid must be', [{ alg: 'HS256', secret, kid: '' }]],
  ])('rejects invalid keys: %s', (message, keys) => {
    expect(() => createKeyRing(keys)).toThrow(TypeError)
    expect(() => createKeyRing(keys)).toThrow(message)
  })

  it('keeps the kid of a JSON Web Key and publishes it', async () => {
    const privateKey = {
      ...ed.privateKey.export({ format: 'jwk' }),
      kid: 'own',
      use: 'sig',
      key_ops: ['sign'],
    }
    const publicKey = { ...ed.publicKey.export({ format: 'jwk' }), kid: 'own', key_ops: ['verify'] }
    const signing = createKeyRing([{ alg: 'EdDSA', privateKey }])
    expect(signing.signer?.kid).toBe('own')
    const published = createKeyRing([{ alg: 'EdDSA', publicKey }])
    expect(published.jwks().keys).toMatchObject([{ kid: 'own', use: 'sig', alg: 'EdDSA' }])
    expect(createKeyRing([{ alg: 'EdDSA', publicKey, kid: 'given' }]).jwks().keys[0]?.kid).toBe('given')
    // Regression: a token with the own kid of the key was answered 401.
    const claims = { iss: 'https://id.example', aud: 'https://api.example' }
    const { token } = await createTokenIssuer({
      keys: signing,
      issuer: claims.iss,
      audience: claims.aud,
    }).issue({
      sub: 'ada',
    })
    const verifier = createTokenVerifier({ keys: published, issuer: claims.iss, audience: claims.aud })
    expect(await verifier.verify(token)).toMatchObject({ sub: 'ada' })
  })

  it.each<[string, object]>([
    ['use of the JSON Web Key is not "sig"', { use: 'enc' }],
    ['key_ops of the JSON Web Key lack "verify"', { key_ops: ['encrypt'] }],
    ['key_ops of the JSON Web Key lack "verify"', { key_ops: [] }],
    ['key_ops of the JSON Web Key lack "verify"', { key_ops: 'verify' }],
    ['alg of the JSON Web Key is another', { alg: 'PS256' }],
    ['kid must be', { kid: 7 }],
  ])('rejects a JSON Web Key that does not allow signatures: %s %j', (message, members) => {
    const publicKey = { ...rsa.publicKey.export({ format: 'jwk' }), ...members }
    expect(() => createKeyRing([{ alg: 'RS256', publicKey }])).toThrow(TypeError)
    expect(() => createKeyRing([{ alg: 'RS256', publicKey }])).toThrow(message)
    const privateKey = { ...rsa.privateKey.export({ format: 'jwk' }), ...members }
    expect(() => createKeyRing([{ alg: 'RS256', privateKey }])).toThrow(TypeError)
  })

  // Regression: a string was counted by its characters: "at most 16 keys".
  it.each([secret, undefined, new Uint8Array(32)])('rejects keys that are not an array: %j', (keys) => {
    expect(() => createKeyRing(keys as never)).toThrow(new TypeError('keys must be an array'))
  })

  it('increments the version on rotation, and keeps its keys when the new keys are invalid', () => {
    const ring = createKeyRing([secret])
    const { version } = ring
    const kid = ring.signer!.kid
    expect(() => {
      ring.rotate(['short'])
    }).toThrow(TypeError)
    expect(ring.version).toBe(version)
    expect(ring.signer!.kid).toBe(kid)
    ring.rotate([`${secret}2`])
    expect(ring.version).not.toBe(version)
    expect(ring.find({ alg: 'HS256', kid })).toHaveLength(0)
  })
})
