import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodyBlocks, type KeptBody } from './body-blocks.ts'

const kibibyte = 1024
/** Blocks of 16 KiB, of bodies of up to 2 KiB. */
const limit = 1024 * kibibyte

const bodyOf = (length: number, fill: number) => new Uint8Array(length).fill(fill)

test('keeps a copy, which does not change with its original', () => {
  const blocks = new BodyBlocks(limit)
  const original = bodyOf(100, 1)
  const { bytes } = blocks.keep(original)
  original.fill(2)
  expect(bytes).toEqual(bodyOf(100, 1))
})

test('uses the memory of bodies that were given back', () => {
  const blocks = new BodyBlocks(limit)
  const memory = new Set<ArrayBufferLike>()
  const kept: KeptBody[] = []
  for (let count = 0; count < 1000; count++) {
    const body = blocks.keep(bodyOf(kibibyte, 1))
    memory.add(body.bytes.buffer)
    kept.push(body)
    if (kept.length > 64) blocks.giveBack(kept.shift() as KeptBody)
  }
  expect(memory.size).toBeLessThanOrEqual(6)
})

test('gives a large body memory of its own, which goes with it', () => {
  const blocks = new BodyBlocks(limit)
  const large = blocks.keep(bodyOf(3 * kibibyte, 1))
  expect([large.bytes.buffer.byteLength, blocks.reserved]).toEqual([3 * kibibyte, 3 * kibibyte])
  blocks.giveBack(large)
  expect(blocks.reserved).toBe(0)
})

test('keeps no blocks beside large bodies that have come in their place', () => {
  // They once stayed, and took as much memory as the limit once more.
  const blocks = new BodyBlocks(limit)
  const fill = (length: number) => {
    const kept: KeptBody[] = []
    while (blocks.reserved + length <= limit) kept.push(blocks.keep(bodyOf(length, 1)))
    return kept
  }
  const giveBack = (kept: readonly KeptBody[]) => {
    for (const body of kept) blocks.giveBack(body)
    return new Set(kept.map(({ bytes }) => bytes.buffer))
  }
  const before = giveBack(fill(kibibyte))
  giveBack(fill(3 * kibibyte))
  const after = giveBack(fill(kibibyte))
  expect([before.size, after.size]).toEqual([64, 64])
  expect([...after].filter((memory) => before.has(memory)).length).toBeLessThanOrEqual(2)
})

test('uses the memory of the oldest bodies when the limit is reached', () => {
  const blocks = new BodyBlocks(limit)
  const memory = new Set<ArrayBufferLike>()
  const kept: KeptBody[] = []
  for (let count = 0; count < 5000; count++) {
    const body = blocks.keep(bodyOf(kibibyte, 1))
    memory.add(body.bytes.buffer)
    kept.push(body)
    while (blocks.reserved > limit) blocks.giveBack(kept.shift() as KeptBody)
  }
  expect(memory.size).toBeLessThanOrEqual(65)
})

test('no body changes while it is kept, in whatever order others come and go', () => {
  const step = fc.oneof(
    fc.record({ keep: fc.integer({ min: 0, max: 3 * kibibyte }) }),
    fc.record({ giveBack: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const blocks = new BodyBlocks(limit)
      const kept: { body: KeptBody; expected: Uint8Array }[] = []
      for (const [index, one] of steps.entries()) {
        if ('keep' in one) {
          const expected = bodyOf(one.keep, index % 251)
          kept.push({ body: blocks.keep(expected), expected })
        } else {
          const [gone] = kept.splice(one.giveBack % Math.max(1, kept.length), 1)
          if (gone) blocks.giveBack(gone.body)
        }
        for (const { body, expected } of kept) expect(body.bytes).toEqual(expected)
        const held = kept.reduce((bytes, { body }) => bytes + body.bytes.byteLength, 0)
        expect(blocks.reserved).toBeGreaterThanOrEqual(held)
      }
    }),
  )
})
