import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGenerations } from './generations.ts'

const keys = Array.from({ length: 12 }, (_, key) => String(key))
const uses = fc.array(fc.record({ key: fc.constantFrom(...keys), sets: fc.boolean() }), { maxLength: 100 })

function useAll(max: number, all: readonly { readonly key: string; readonly sets: boolean }[]) {
  const kept = createGenerations<string>(max)
  let used: string[] = []
  for (const { key, sets } of all) {
    if (sets) kept.set(key, key)
    if (kept.get(key) !== undefined) used = [...used.filter((one) => one !== key), key]
  }
  return { kept, used }
}

it('keeps what was used last, half of what it may hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), uses, (max, all) => {
      const { kept, used } = useAll(max, all)
      const last = used.slice(-Math.max(1, Math.floor(max / 2)))
      for (const key of last.reverse()) expect(kept.get(key)).toBe(key)
    }),
  )
})

it('never holds more than it may', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), uses, (max, all) => {
      const { kept } = useAll(max, all)
      // What is deleted once it was found is moved to no other generation while the rest is counted.
      const held = keys.filter((key) => {
        const found = kept.get(key) !== undefined
        kept.delete(key)
        return found
      })
      expect(held.length).toBeLessThanOrEqual(max)
    }),
  )
})

it('forgets what is deleted, in whichever generation it is', () => {
  const kept = createGenerations<number>(4)
  for (const key of ['a', 'b', 'c']) kept.set(key, 1)
  for (const key of ['a', 'c']) kept.delete(key)
  expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual([undefined, 1, undefined])
})
