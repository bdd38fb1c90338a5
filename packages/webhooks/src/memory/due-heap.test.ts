import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DueHeap, type Ranked } from './due-heap.ts'

it('gives out the smallest of what is in it, whatever was removed between', () => {
  const step = fc.oneof(
    fc.record({ push: fc.nat(20) }),
    fc.record({ remove: fc.nat() }),
    fc.constant('take' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new DueHeap<Ranked>()
      const model: Ranked[] = []
      let order = 0
      for (const one of steps) {
        if (one === 'take') {
          const expected = model.toSorted((a, b) => a.rank - b.rank || a.order - b.order)[0]
          expect(heap.peek()).toBe(expected)
          if (expected === undefined) continue
          heap.remove(expected)
          model.splice(model.indexOf(expected), 1)
        } else if ('push' in one) {
          const entry: Ranked = { rank: 0, order: order++, position: -1 }
          heap.push(entry, one.push)
          model.push(entry)
        } else if (model.length > 0) {
          const [entry] = model.splice(one.remove % model.length, 1)
          heap.remove(entry!)
          expect(entry!.position).toBe(-1)
        }
        expect(heap.size).toBe(model.length)
      }
    }),
  )
})

it('lets rise what takes the place of a removed entry above which something larger stands', () => {
  const heap = new DueHeap<Ranked>()
  const entries = [5, 0, 1, 3, 6, 4, 2].map((order) => ({ rank: 0, order, position: -1 }))
  for (const entry of entries) heap.push(entry, entry.order)
  heap.remove(entries[0]!)
  const given: number[] = []
  for (let entry = heap.peek(); entry; entry = heap.peek()) {
    given.push(entry.rank)
    heap.remove(entry)
  }
  expect(given).toEqual([0, 1, 2, 3, 4, 6])
})
