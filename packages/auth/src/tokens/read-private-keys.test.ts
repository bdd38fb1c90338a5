import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import { readPrivateKeys } from './read-private-keys.ts'

const kinds = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const
const pool = Object.entries(kinds).flatMap(([alg, generate]) =>
  [generate(), generate()].map(({ privateKey, publicKey }) => ({ alg, privateKey, publicKey })),
)

const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }) as string
const jwk = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })
const ed = pool[0]!.privateKey
const [p256, otherP256] = pool.filter(({ alg }) => alg === 'ES256').map(({ privateKey }) => privateKey)

describe('readPrivateKeys', () => {
  it('preserves the order and derives algorithm and kid for every format', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(pool, { minLength: 1 }), async (chosen) => {
        const forms = [
          chosen.map(({ privateKey }) => pem(privateKey)).join('\n'),
          JSON.stringify({ keys: chosen.map(({ privateKey }) => jwk(privateKey)) }),
        ]
        const expected = await Promise.all(
          chosen.map(async ({ alg, publicKey }) => [alg, await calculateJwkThumbprint(jwk(publicKey))]),
        )
        for (const form of forms) {
          const { keys } = createKeyRing(readPrivateKeys(form)).jwks()
          expect(keys.map(({ alg, kid }) => [alg, kid])).toEqual(expected)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('never leads to a key set with private or symmetric members', () => {
    const secret = 'a-secret-of-more-than-thirty-two-bytes'
    fc.assert(
      fc.property(fc.shuffledSubarray(pool), fc.boolean(), (chosen, secretFirst) => {
        const keys =
          chosen.length === 0 ? [] : readPrivateKeys(chosen.map((key) => pem(key.privateKey)).join(''))
        const ring = createKeyRing(secretFirst ? [secret, ...keys] : [...keys, secret])
        const shown = JSON.stringify(ring.jwks())
        for (const { privateKey, publicKey } of pool) {
          const known = Object.keys(jwk(publicKey))
          for (const [member, value] of Object.entries(jwk(privateKey))) {
            if (!known.includes(member)) expect(shown).not.toContain(value)
          }
        }
        expect(shown).not.toContain(secret)
        expect(shown).not.toContain(Buffer.from(secret).toString('base64url'))
        for (const key of ring.jwks().keys) {
          expect(['alg', 'crv', 'e', 'kid', 'kty', 'n', 'use', 'x', 'y']).toEqual(
            expect.arrayContaining(Object.keys(key)),
          )
          expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) as string })
        }
      }),
      { numRuns: 50 },
    )
  })

  it('uses the kid of a JSON Web Key', () => {
    expect(
      readPrivateKeys(JSON.stringify({ ...jwk(ed), kid: 'mine', alg: 'EdDSA', use: 'sig' })),
    ).toMatchObject([{ alg: 'EdDSA', kid: 'mine' }])
  })

  it('accepts the name that RFC 9864 gives to the algorithm of an Ed25519 key, as WebCrypto exports it', () => {
    expect(readPrivateKeys(JSON.stringify({ ...jwk(ed), alg: 'Ed25519' }))).toMatchObject([{ alg: 'EdDSA' }])
  })

  it.each<[string, string]>([
    ['has no private key', ''],
    ['neither PEM nor JSON', 'a-secret-of-more-than-thirty-two-bytes'],
    [
      'neither PEM nor JSON',
      pem(ed)
        .replaceAll('\n', String.raw`\n`)
        .replace('-----END', ''),
    ],
    ['neither PEM nor JSON', `${pem(ed)}${JSON.stringify(jwk(ed))}`],
    ['not a readable', pool[0]!.publicKey.export({ format: 'pem', type: 'spki' }) as string],
    [
      'unencrypted',
      ed.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }) as string,
    ],
    ['key 2 is not a readable', `${pem(ed)}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----`],
    ['not valid JSON', `${JSON.stringify(jwk(ed))},`],
    ['has no private key', '{"keys":[]}'],
    ['a member that is not a key', '{"keys":[1]}'],
    ['not a readable', JSON.stringify(jwk(pool[0]!.publicKey))],
    ['not a readable', JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' })],
    ['the alg of the JSON Web Key is another', JSON.stringify({ ...jwk(ed), alg: 'RS256' })],
    ['the alg of the JSON Web Key is another', JSON.stringify({ ...jwk(p256!), alg: 'Ed25519' })],
    ['is not "sig"', JSON.stringify({ ...jwk(ed), use: 'enc' })],
    ['lack "sign"', JSON.stringify({ ...jwk(ed), key_ops: ['deriveKey'] })],
    ['kid must be', JSON.stringify({ ...jwk(ed), kid: 7 })],
    ['at least 2048', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
    ['unsupported type', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
    ['unsupported type', pem(generateKeyPairSync('x25519').privateKey)],
    ['unsupported type', pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey)],
  ])('explains an invalid text without showing it: %s', (message, text) => {
    expect(() => readPrivateKeys(text)).toThrow(TypeError)
    try {
      readPrivateKeys(text)
    } catch (error) {
      const shown = String(error)
      expect(shown).toContain(message)
      for (const line of text.split(/[\s",:{}]+/).filter((part) => part.length > 12))
        expect(shown).not.toContain(line)
    }
  })

  it('rejects a key whose public part does not match', () => {
    const { x, y } = jwk(otherP256!)
    expect(() => readPrivateKeys(JSON.stringify({ ...jwk(p256!), x, y }))).toThrow(TypeError)
  })
})
