import fc from 'fast-check'
import { ZstdCompress } from 'minizlib'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { zstd } from './zstd.ts'

const body = Buffer.from(JSON.stringify({ repository: 'acme/site', run: 4711 }).repeat(20))

describe('a frame of a body', () => {
  it('is that of a context of its own, whatever was compressed before', () => {
    const text = fc.string({ maxLength: 50_000, size: 'max' }).map((one) => Buffer.from(one))
    const noise = fc.uint8Array({ maxLength: 50_000, size: 'max' }).map((one) => Buffer.from(one))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, noise), { minLength: 1, maxLength: 5 }), (bodies) => {
        const frames = bodies.map((one) => Buffer.from(zstd(one)))
        expect(frames).toEqual(bodies.map(byItself))
        expect(frames.map((frame) => zstdDecompressSync(frame))).toEqual(bodies)
      }),
    )
  })

  it('is not that of the bytes beside it', () => {
    expect(zstd(new Uint8Array(body.buffer, body.byteOffset + 1, 500))).toEqual(
      byItself(body.subarray(1, 501)),
    )
  })

  it('is not written over by the next', () => {
    const first = zstd(body)
    const written = Buffer.from(first)
    zstd(Buffer.alloc(body.byteLength, 'next'))
    expect(first).toEqual(written)
  })

  it.each([
    ['throws', { write: () => fail() }],
    ['gives nothing', { read: () => null }],
  ])('is made where the context %s, which is not used again', (_how, { write, read }: Broken) => {
    zstd(body)
    const broken = write
      ? vi.spyOn(ZstdCompress.prototype, 'write').mockImplementationOnce(write)
      : vi.spyOn(ZstdCompress.prototype, 'read').mockImplementationOnce(read as () => null)
    onTestFinished(() => {
      broken.mockRestore()
    })
    expect(zstd(body)).toEqual(byItself(body))
    zstd(body)
    const [first, second] = broken.mock.contexts
    expect(second).not.toBe(first)
    expect(zstd(body)).toEqual(byItself(body))
  })
})

interface Broken {
  readonly write?: () => never
  readonly read?: () => null
}

function fail(): never {
  throw new Error('The context is broken')
}

const byItself = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
