import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { doorbell, openGateway, rung } from '../../test/doorbell.ts'
import { defineProvider, type Delivery, type SignatureScheme } from '../index.ts'
import { derToP1363, ecdsa, p1363ToDer } from './ecdsa.ts'
import { ed25519 } from './ed25519.ts'
import { rsa } from './rsa.ts'
import { structuredHeader } from './signature-header.ts'

const header = 'x-signature'
const body = new TextEncoder().encode('{"a":1}')
const delivery = (signature?: string, content: Uint8Array = body): Delivery => ({
  method: 'POST',
  headers: new Headers(signature === undefined ? {} : { [header]: signature }),
  body: content,
})
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const createSignature = async (scheme: SignatureScheme, key: string) =>
  (await scheme.sign(delivery(), key, 0))[header]!

afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['ed25519', ed25519],
  ['ecdsa', ecdsa],
  ['rsa', rsa],
])('%s', (_, scheme) => {
  // Regression: the scheme was created and rejected every delivery.
  it.each([
    [{ encoding: 'HEX' }, 'encoding must be hex, hex-upper, base64 or base64url'],
    [{ encoding: undefined }, 'encoding must be hex, hex-upper, base64 or base64url'],
  ])('is not made with %j', (wrong, message) => {
    expect(() => scheme({ header, ...wrong } as never)).toThrow(new TypeError(message))
  })

  // Regression: a name with a colon was accepted.
  it.each(['', 'x-signature:'])('rejects the header name %j', (wrong) => {
    expect(() => scheme({ encoding: 'hex', header: wrong })).toThrow(TypeError)
  })
})

describe('ed25519', () => {
  it.each([
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])(
    'matches the test vector of RFC 8032 for the key %s',
    async (privateKey, publicKey, content, signature) => {
      const scheme = ed25519({ header, encoding: 'hex', keyEncoding: 'hex' })
      const message = delivery(signature, Buffer.from(content, 'hex'))
      expect(await scheme.sign(message, privateKey, 0)).toEqual({ [header]: signature })
      expect(await scheme.sign(message, privateKey + publicKey, 0)).toEqual({ [header]: signature })
      expect((await scheme.verify(message, [publicKey.toUpperCase()], 0)).verified).toBe(true)
    },
  )

  it('verifies with published keys', async () => {
    const pair = generateKeyPairSync('ed25519')
    const other = generateKeyPairSync('ed25519')
    const lookups: (readonly string[])[] = []
    const scheme = ed25519({
      header,
      encoding: 'base64',
      keys: async (secrets) => {
        lookups.push(secrets)
        return [other.publicKey.export({ format: 'jwk' }), pair.publicKey.export({ format: 'jwk' })]
      },
    })
    const signature = await createSignature(scheme, pkcs8(pair.privateKey))
    expect((await scheme.verify(delivery(signature), ['https://keys.example', ''], 0)).verified).toBe(true)
    expect(lookups).toEqual([['https://keys.example']])
    // A malformed signature does not fetch keys.
    expect((await scheme.verify(delivery('x'), [], 0)).verified).toBe(false)
    expect((await scheme.verify(delivery(), [], 0)).verified).toBe(false)
    expect(lookups).toHaveLength(1)
  })

  it('answers 503 when the keys are unavailable', async () => {
    const cause = new Error('connect ECONNREFUSED')
    const pair = generateKeyPairSync('ed25519')
    for (const keys of [
      () => Promise.reject(cause),
      () => {
        throw cause
      },
    ]) {
      const scheme = ed25519({ header, encoding: 'base64', keys })
      const signature = await createSignature(scheme, pkcs8(pair.privateKey))
      await expect(scheme.verify(delivery(signature), [], 0)).rejects.toMatchObject({ status: 503, cause })
    }
  })

  it('releases the body and counts no failure when the key lookup times out', async () => {
    // Regression: a pending lookup held the request and its body without a limit.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const signature = ed25519({ header, encoding: 'hex', keys: () => new Promise(() => undefined) })
    const failed: string[] = []
    const { send } = openGateway({
      providers: [defineProvider({ ...doorbell, signature })],
      limits: { bytesInFlight: rung().length },
      limiter: { check: () => 0, fail: (address) => (failed.push(address), 0) },
    })
    for (let round = 0; round < 2; round++) {
      const answering = send({ headers: { [header]: 'ab'.repeat(64) } })
      await vi.waitUntil(() => vi.getTimerCount() > 0)
      await vi.advanceTimersByTimeAsync(5000)
      expect(await answering).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    }
    expect(failed).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('limits the number of signatures', async () => {
    const pair = generateKeyPairSync('ed25519')
    const scheme = ed25519({ header: structuredHeader(header, { signature: 'v1' }), encoding: 'base64' })
    const field = await createSignature(scheme, pkcs8(pair.privateKey))
    const none = `v1=${Buffer.alloc(64, 1).toString('base64')}`
    const verified = async (count: number) => {
      const signatures = [...Array<string>(count).fill(none), field].join(',')
      return (await scheme.verify(delivery(signatures), [spki(pair.publicKey)], 0)).verified
    }
    expect(await verified(7)).toBe(true)
    expect(await verified(8)).toBe(false)
  })
})

describe('ecdsa and rsa', () => {
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rsa2048 = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pss = { padding: 6, saltLength: 32 }

  it.each([
    ['ecdsa in DER', ecdsa({ header, encoding: 'base64' }), p256, {}],
    [
      'ecdsa in 64 bytes',
      ecdsa({ header, encoding: 'base64', format: 'ieee-p1363' }),
      p256,
      { dsaEncoding: 'ieee-p1363' },
    ],
    ['rsa', rsa({ header, encoding: 'base64' }), rsa2048, {}],
    ['rsa with PSS', rsa({ header, encoding: 'base64', padding: 'pss' }), rsa2048, pss],
  ] as const)('%s agrees with node:crypto in both directions', async (_, scheme, pair, how) => {
    for (let round = 0; round < 20; round++) {
      const theirs = sign('sha256', body, { key: pair.privateKey, ...how }).toString('base64')
      expect((await scheme.verify(delivery(theirs), [spki(pair.publicKey)], 0)).verified).toBe(true)
      const ours = Buffer.from(await createSignature(scheme, pkcs8(pair.privateKey)), 'base64')
      expect(verify('sha256', body, { key: pair.publicKey, ...how }, ours)).toBe(true)
    }
  })

  it('rejects keys of another type or curve, short keys and private keys', async () => {
    const signature = await createSignature(ecdsa({ header, encoding: 'base64' }), pkcs8(p256.privateKey))
    const long = await createSignature(rsa({ header, encoding: 'base64' }), pkcs8(rsa2048.privateKey))
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const unusable = { code: 'PROVIDER_UNAVAILABLE' }
    for (const key of [
      spki(rsa2048.publicKey),
      spki(p384),
      pkcs8(p256.privateKey),
      spki(p256.publicKey).slice(0, -40),
    ]) {
      const verifying = ecdsa({ header, encoding: 'base64' }).verify(delivery(signature), [key], 0)
      await expect(verifying).rejects.toMatchObject(unusable)
    }
    const verifying = rsa({ header, encoding: 'base64' }).verify(delivery(long), [spki(short)], 0)
    await expect(verifying).rejects.toMatchObject(unusable)
    const signing = ecdsa({ header, encoding: 'base64' }).sign(delivery(), spki(p256.publicKey), 0)
    await expect(signing).rejects.toMatchObject(unusable)
  })

  it('accepts PEM with white space at the ends', async () => {
    const signature = await createSignature(
      ecdsa({ header, encoding: 'base64' }),
      `\n${pkcs8(p256.privateKey)}\n`,
    )
    const windows = spki(p256.publicKey).replaceAll('\n', '\r\n')
    const scheme = ecdsa({ header, encoding: 'base64' })
    expect((await scheme.verify(delivery(signature), [windows], 0)).verified).toBe(true)
    expect(createPublicKey(windows).asymmetricKeyType).toBe('ec')
  })
})

describe('DER signatures', () => {
  it('round-trip for any numbers', () => {
    const number = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .chain((bytes) => fc.nat({ max: 32 }).map((zeros) => bytes.fill(0, 0, zeros)))
    fc.assert(
      fc.property(number, number, (r, s) => {
        const signature = Uint8Array.of(...r, ...s)
        expect(derToP1363(p1363ToDer(signature))).toEqual(signature)
      }),
    )
  })

  it('have one accepted form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const signature = derToP1363(bytes)
        if (signature) expect(p1363ToDer(signature)).toEqual(bytes)
      }),
    )
    const valid = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02]
    expect(derToP1363(Uint8Array.from(valid))).toBeDefined()
    for (const wrong of [
      [],
      [0x30],
      [0x30, 0x00],
      [...valid, 0x00],
      valid.slice(0, -1),
      [0x31, ...valid.slice(1)],
      [0x30, 0x81, 0x06, ...valid.slice(2)],
      [0x30, 0x80, ...valid.slice(2), 0x00, 0x00],
      [0x30, 0x07, 0x02, 0x02, 0x00, 0x01, 0x02, 0x01, 0x02],
      [0x30, 0x06, 0x02, 0x01, 0x81, 0x02, 0x01, 0x02],
      [0x30, 0x05, 0x02, 0x00, 0x02, 0x01, 0x02],
      [0x30, 0x06, 0x03, 0x01, 0x01, 0x02, 0x01, 0x02],
      [0x30, 0x26, 0x02, 0x21, ...Array<number>(33).fill(1), 0x02, 0x01, 0x02],
    ]) {
      expect(derToP1363(Uint8Array.from(wrong)), String(wrong)).toBeUndefined()
    }
  })
})
