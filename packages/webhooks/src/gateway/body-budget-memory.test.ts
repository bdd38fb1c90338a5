import { queryObjects } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addChunk } from './body-budget.ts'
import { joinBytes } from '../crypto/encoding.ts'

function collect(chunks: Iterable<Uint8Array>): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (const chunk of chunks) addChunk(parts, chunk)
  return parts
}

const sumLengths = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0)

/** Counts the reachable byte arrays and their bytes. The count runs a garbage collection first. */
function reachable() {
  const parts = queryObjects(Uint8Array, { format: 'count' })
  return { parts, bytes: process.memoryUsage().arrayBuffers }
}

/** Measures the memory of collected chunks without other references. */
function measure(chunks: () => Iterable<Uint8Array>) {
  const before = reachable()
  const parts = collect(chunks())
  const after = reachable()
  return { parts: after.parts - before.parts, bytes: after.bytes - before.bytes, length: sumLengths(parts) }
}

describe('addChunk', () => {
  // Sizes around the limit for copying, and enough small sizes to fill a block.
  const size = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1000, max: 1050 }),
    fc.integer({ min: 0, max: 70_000 }),
  )

  const pattern = Uint8Array.from({ length: 60 * 70_000 + 256 }, (_, index) => index * 31 + (index >> 8))

  it('returns the bytes of a body for any chunk sizes', () => {
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), fc.nat(255), (sizes, seed) => {
        const length = sizes.reduce((sum, one) => sum + one, 0)
        const body = pattern.slice(seed, seed + length)
        let offset = 0
        const bytes = joinBytes(collect(sizes.map((one) => body.slice(offset, (offset += one)))))
        expect(Buffer.compare(bytes, body)).toBe(0)
        expect(bytes).toHaveLength(length)
      }),
      { numRuns: 100 },
    )
  })

  it('accepts chunks after its parts were joined', () => {
    const parts = collect([Uint8Array.of(1, 2), new Uint8Array(2000), Uint8Array.of(3)])
    expect(joinBytes(parts)).toEqual(joinBytes(parts))
    addChunk(parts, Uint8Array.of(4))
    expect([...joinBytes(parts).slice(-2)]).toEqual([3, 4])
    expect(joinBytes(collect([]))).toEqual(new Uint8Array(0))
  })

  it('does not copy a body of one chunk', () => {
    const chunk = new Uint8Array(5000)
    expect(joinBytes(collect([chunk]))).toBe(chunk)
  })

  it('copies small chunks, because the host may reuse their memory', () => {
    const chunk = Uint8Array.of(1)
    const parts = collect([chunk])
    chunk[0] = 2
    expect([...joinBytes(parts)]).toEqual([1])
  })

  it('keeps few parts and little extra memory for a body of single bytes', () => {
    const { parts, bytes, length } = measure(function* () {
      for (let byte = 0; byte < 200_000; byte++) yield Uint8Array.of(byte)
    })
    expect(length).toBe(200_000)
    // The parts have 1, 2, 4 … bytes and 64 KiB.
    expect(parts).toBeLessThan(20)
    expect(bytes).toBeLessThan(300_000)
  })

  it('keeps at most two parts per KiB when small and large chunks alternate', () => {
    const { parts, bytes, length } = measure(function* () {
      for (let pair = 0; pair < 500; pair++) {
        yield Uint8Array.of(pair)
        yield new Uint8Array(1024)
      }
    })
    expect(length).toBe(500 * 1025)
    expect(parts).toBeLessThan(1020)
    expect(bytes).toBeLessThan(600_000)
  })
})
