import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inSteps } from './add-entries.ts'

const sizeOf = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2 ** 21 }))
const entriesOf = fc
  .array(sizeOf, { maxLength: 400, size: 'max' })
  .map((sizes) => sizes.map((bytes, index) => ({ known: `${index}`, fields: [], bytes })))
const sizeOfAll = (entries: readonly { bytes: number }[]) =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0)

describe('steps of the server', () => {
  it('hold all entries in their order, and neither many nor much', () => {
    fc.assert(
      fc.property(entriesOf, (entries) => {
        const steps = inSteps(entries)
        expect(steps.flat()).toEqual(entries)
        for (const [index, step] of steps.entries()) {
          expect(step.length).toBeGreaterThan(0)
          expect(step.length).toBeLessThanOrEqual(100)
          if (step.length > 1) expect(sizeOfAll(step)).toBeLessThanOrEqual(1_048_576)
          const [next] = steps[index + 1] ?? []
          // What would have fitted in is no step of its own.
          if (next) expect(step.length === 100 || sizeOfAll([...step, next]) > 1_048_576).toBe(true)
        }
      }),
    )
  })
})
