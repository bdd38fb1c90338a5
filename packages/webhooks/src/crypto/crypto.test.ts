import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyCache } from '../schemes/keys.ts'
import * as node from './node.ts'
import * as web from './web.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte)
const rfc4231 = [
  {
    name: '1',
    key: filled(20, 0x0b),
    data: bytes('Hi There'),
    sha256: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    sha512:
      '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  },
  {
    name: '2',
    key: 'Jefe',
    data: bytes('what do ya want for nothing?'),
    sha256: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    sha512:
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  },
  {
    name: '3',
    key: filled(20, 0xaa),
    data: filled(50, 0xdd),
    sha256: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    sha512:
      'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
  },
  {
    name: '6, with a key longer than a block',
    key: filled(131, 0xaa),
    data: bytes('Test Using Larger Than Block-Size Key - Hash Key First'),
    sha256: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    sha512:
      '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  },
]

const rfc2202 = [
  { name: '1', key: filled(20, 0x0b), data: 'Hi There', sha1: 'b617318655057264e28bc0b6fb378c8ef146be00' },
  {
    name: '2',
    key: 'Jefe',
    data: 'what do ya want for nothing?',
    sha1: 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
  },
  {
    name: '3',
    key: filled(20, 0xaa),
    data: filled(50, 0xdd),
    sha1: '125d7342b9ac11cd91a39af48aa17b4f63f175d3',
  },
  {
    name: '6, with a key longer than a block',
    key: filled(80, 0xaa),
    data: 'Test Using Larger Than Block-Size Key - Hash Key First',
    sha1: 'aa4ae5e15272d00e95705637ce8a3b55ed402112',
  },
  {
    name: '7, with a key and data longer than a block',
    key: filled(80, 0xaa),
    data: 'Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data',
    sha1: 'e8e99d0f45237d786d6bbaa7965c7808bbff1a91',
  },
]

describe.each([
  ['node:crypto', node],
  ['WebCrypto', web],
])('%s', (_, crypto) => {
  it.each(rfc4231)('computes RFC 4231 test case $name', async ({ key, data, sha256, sha512 }) => {
    expect(await crypto.prepareHmac('sha256', 'hex', key)([data])).toBe(sha256)
    expect(await crypto.prepareHmac('sha512', 'hex', key)([data])).toBe(sha512)
  })

  it.each(rfc2202)('computes RFC 2202 test case $name', async ({ key, data, sha1 }) => {
    expect(await crypto.prepareHmac('sha1', 'hex', key)([data])).toBe(sha1)
  })

  it('concatenates the parts, text as UTF-8', async () => {
    const parts = ['1.', bytes('☃'), '', '☃', new Uint8Array(), Uint8Array.of(0xff, 0x00)]
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part)))
    for (const key of ['clé', bytes('clé'), Uint8Array.of(0xff, 0x00, 0x80), new Uint8Array(200).fill(7)]) {
      const expected = createHmac('sha256', key).update(whole).digest('hex')
      expect(await crypto.prepareHmac('sha256', 'hex', key)(parts)).toBe(expected)
    }
    expect(await crypto.prepareHmac('sha256', 'hex', 'k')([])).toBe(createHmac('sha256', 'k').digest('hex'))
  })

  it('agrees with createHmac in every algorithm and encoding', async () => {
    const algorithm = fc.constantFrom('sha1', 'sha256', 'sha512')
    const encoding = fc.constantFrom('hex', 'base64', 'base64url')
    await fc.assert(
      fc.asyncProperty(
        algorithm,
        encoding,
        fc.string({ minLength: 1 }),
        fc.uint8Array(),
        async (a, e, secret, content) => {
          expect(await crypto.prepareHmac(a, e, secret)([content])).toBe(
            createHmac(a, secret).update(content).digest(e),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('computes SHA-256', async () => {
    expect(await crypto.sha256Hex(bytes('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('compares texts', () => {
    expect(crypto.equalText('abc', 'abc')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) expect(crypto.equalText('abc', other)).toBe(false)
  })

  it('distinguishes texts that differ outside ASCII', () => {
    expect(crypto.equalText('\u0161', 'a')).toBe(false)
    expect(crypto.equalText('\u0161', '\u0162')).toBe(false)
  })
})

it('imports a key once and caches at most 64 keys', () => {
  const imported: string[] = []
  const cached = createKeyCache<string>()
  const load = (id: string) => cached(id, () => (imported.push(id), `key of ${id}`))
  const ids = Array.from({ length: 64 }, (_, number) => String(number))
  for (const id of [...ids, ...ids]) expect(load(id)).toBe(`key of ${id}`)
  expect(imported).toEqual(ids)
  load('one more')
  load('0')
  expect(imported).toEqual([...ids, 'one more', '0'])
})
