import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cursorTag } from './cursor-tag.ts'

const expected = (key: Uint8Array, bound: string, payload: Uint8Array) =>
  createHmac('sha256', key).update(bound).update(payload).digest().subarray(0, 16).toString('latin1')

const key = fc.uint8Array({ minLength: 32, maxLength: 200, size: 'max' })
/** Short texts, and texts around the size of the reused buffer. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.constantFrom('a', '☃'), fc.integer({ min: 1270, max: 1350 })).map(([c, n]) => c.repeat(n)),
  fc.constantFrom(4031, 4032, 4033, 20_000).map((length) => 'a'.repeat(length)),
)
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 200, size: 'max' }),
  fc.integer({ min: 4020, max: 4040 }).map((length) => new Uint8Array(length).fill(length)),
)

it('equals createHmac for every key and content', () => {
  const contents = fc.array(fc.tuple(text, payload), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(key, key, contents, (first, second, all) => {
      const [one, other] = [cursorTag(first), cursorTag(second)]
      for (const [bound, bytes] of all) {
        expect(one(bound, bytes)).toBe(expected(first, bound, bytes))
        expect(other(bound, bytes)).toBe(expected(second, bound, bytes))
      }
    }),
  )
})
