import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deflateSync, gzipSync } from 'node:zlib'
import { compressed, hmac } from '../index.ts'

const plain = new TextEncoder().encode('{"a":"b"}')
const sign = (body: Uint8Array) => createHmac('sha256', 's').update(body).digest('hex')
const scheme = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' })
const verify = (signs: 'compressed' | 'inflated', body: Uint8Array, signature: string, encoding?: string) =>
  compressed(scheme, { signs, maximumBytes: 1000 }).verify(
    {
      method: 'POST',
      headers: new Headers({ 'x-signature': signature, ...(encoding && { 'content-encoding': encoding }) }),
      body,
    },
    ['s'],
    0,
  )

describe('compressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('returns the inflated body of %s', async (encoding, deflate) => {
    const body = deflate(plain)
    expect(await verify('inflated', body, sign(plain), encoding)).toEqual({ verified: true, body: plain })
    expect(await verify('compressed', body, sign(body), encoding)).toEqual({ verified: true, body: plain })
    expect(await verify('inflated', body, sign(body), encoding)).toMatchObject({ reason: 'mismatch' })
    expect(await verify('compressed', body, sign(plain), encoding)).toMatchObject({ reason: 'mismatch' })
  })

  it('verifies a body without an encoding', async () => {
    expect(await verify('inflated', plain, sign(plain))).toEqual({ verified: true, body: plain })
  })

  it('rejects a bomb, invalid data and another encoding', async () => {
    const bomb = gzipSync(new Uint8Array(10_000_000))
    for (const signs of ['compressed', 'inflated'] as const) {
      expect(await verify(signs, bomb, sign(bomb), 'gzip')).toMatchObject({ verified: false })
      expect(await verify(signs, plain, sign(plain), 'gzip')).toMatchObject({ reason: 'malformed' })
      expect(await verify(signs, plain, sign(plain), 'br')).toMatchObject({ reason: 'malformed' })
    }
  })
})
