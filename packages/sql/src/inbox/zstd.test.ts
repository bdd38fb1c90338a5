import fc from 'fast-check'
import { ZstdCompress } from 'minizlib'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createZstd } from './zstd.ts'

const body = Buffer.from(JSON.stringify({ repository: 'acme/site', run: 4711 }).repeat(20))

describe('a frame of a body', () => {
  const zstd = createZstd()

  it('is that of a context of its own, whatever was compressed before', () => {
    const text = fc.string({ maxLength: 50_000, size: 'max' }).map((one) => Buffer.from(one))
    const noise = fc.uint8Array({ maxLength: 50_000, size: 'max' }).map((one) => Buffer.from(one))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, noise), { minLength: 1, maxLength: 5 }), (bodies) => {
        const frames = bodies.map((one) => Buffer.from(zstd(one)))
        expect(frames).toEqual(bodies.map(byItself))
        expect(frames.map((frame) => zstdDecompressSync(frame))).toEqual(bodies)
      }),
      { numRuns: 30 },
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

  it('is made of what is no view, as before', () => {
    const bytes = new Uint8Array(body).buffer
    expect(zstd(bytes as never)).toEqual(byItself(body))
  })

  it('is made with another context now and then', () => {
    const write = vi.spyOn(ZstdCompress.prototype, 'write')
    onTestFinished(() => {
      write.mockRestore()
    })
    const close = vi.spyOn(ZstdCompress.prototype, 'close')
    onTestFinished(() => {
      close.mockRestore()
    })
    const fresh = createZstd()
    for (let made = 0; made < 2050; made++) fresh(body)
    expect(new Set(write.mock.contexts).size).toBe(3)
    expect(close.mock.contexts).toEqual([...new Set(write.mock.contexts)].slice(0, 2))
    expect(fresh(body)).toEqual(byItself(body))
  })

  it.each(['write', 'read'] as const)(
    'is made where a context fails to %s, and none is made again',
    (step) => {
      const broken = vi.spyOn(ZstdCompress.prototype, step)
      onTestFinished(() => {
        broken.mockRestore()
      })
      const fresh = createZstd()
      fresh(body)
      if (step === 'read') broken.mockReturnValueOnce(null)
      else
        broken.mockImplementationOnce(() => {
          throw new Error('The context is broken')
        })
      expect(fresh(body)).toEqual(byItself(body))
      expect(fresh(body)).toEqual(byItself(body))
      expect(broken).toHaveBeenCalledTimes(2)
    },
  )
})

const byItself = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
