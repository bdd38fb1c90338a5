import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ContentPart, HmacAlgorithm } from './crypto.ts'
import { prepareHmac } from './node-hmac.ts'

const algorithms = ['sha1', 'sha256', 'sha512'] as const satisfies readonly HmacAlgorithm[]

function expected(algorithm: HmacAlgorithm, key: ContentPart, parts: readonly ContentPart[]): string {
  const computation = createHmac(algorithm, key)
  for (const part of parts) computation.update(part)
  return computation.digest('hex')
}

const filled = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 0xff)
const seed = fc.integer({ min: 0, max: 255 })
const key = fc.oneof(
  fc.uint8Array({ maxLength: 200, size: 'max' }),
  fc.string({ unit: 'binary', maxLength: 100, size: 'max' }),
  fc
    .tuple(fc.constantFrom(0, 1, 63, 64, 65, 127, 128, 129, 200), seed)
    .map(([length, s]) => filled(length, s)),
)
/** Few bytes, blocks of the hashes, and what is just copied still or no longer. */
const sizes = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 65_407, 65_408, 65_471, 65_472, 65_473]
const bytes = fc
  .tuple(fc.oneof(fc.constantFrom(...sizes), fc.nat(300), fc.integer({ min: 65_300, max: 65_700 })), seed)
  .map(([length, s]) => filled(length, s))
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  // Halves of surrogate pairs, which are written as U+FFFD.
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(21_780, 21_824, 21_845, 65_400, 65_472).map((length) => '☃'.repeat(length / 3)),
  fc.constantFrom(21_802, 21_803, 21_824, 21_825, 65_472).map((length) => 'a'.repeat(length)),
)
const parts = fc.array(fc.oneof(bytes, text), { maxLength: 4 })

describe('prepareHmac', () => {
  it('agrees with createHmac over any key and any parts, one computation after another', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...algorithms),
        key,
        fc.array(parts, { minLength: 1, maxLength: 4 }),
        (algorithm, secret, contents) => {
          const compute = prepareHmac(algorithm, 'hex', secret)
          for (const content of contents) {
            expect(compute(content)).toBe(expected(algorithm, secret, content))
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('keeps keys apart whose computations alternate', () => {
    const secrets = Array.from({ length: 6 }, (_, index) => filled(index * 40, index))
    const computations = secrets.flatMap((secret) =>
      algorithms.map((algorithm) => ({ secret, algorithm, compute: prepareHmac(algorithm, 'hex', secret) })),
    )
    for (const length of [70_000, 1000, 10, 0, 66_000, 1]) {
      const content = ['1.', filled(length, 3)]
      for (const { secret, algorithm, compute } of computations) {
        expect(compute(content)).toBe(expected(algorithm, secret, content))
      }
    }
  })

  it.each([200, 1_000_000])('agrees with createHmac over %i bytes in a part of a larger buffer', (length) => {
    const part = filled(length + 20, 1).subarray(7, length + 7)
    expect(prepareHmac('sha256', 'hex', 'key')([part])).toBe(expected('sha256', 'key', [part]))
  })

  it('leaves no key in the memory that all of them use', () => {
    const compute = prepareHmac('sha256', 'hex', 'a key')
    const write = vi.spyOn(Buffer.prototype, 'write')
    compute(['content'])
    const [shared] = write.mock.contexts as Buffer[]
    write.mockRestore()
    expect(shared!.includes('content')).toBe(true)
    const pad = Buffer.from('a key').map((byte) => byte ^ 0x36)
    expect(shared!.includes(Buffer.from(pad))).toBe(false)
  })

  it('refuses what is neither text nor bytes, instead of hashing nothing', () => {
    const compute = prepareHmac('sha256', 'hex', 'key')
    for (const part of [5, undefined, null, [1, 2], {}, { length: 2 }, new ArrayBuffer(2)]) {
      expect(() => compute(['a', part as unknown as string])).toThrow(TypeError)
    }
  })
})
