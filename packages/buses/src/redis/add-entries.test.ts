import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitIntoRuns } from './add-entries.ts'

const sizeArbitrary = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2 ** 21 }))
const entriesArbitrary = fc
  .array(sizeArbitrary, { maxLength: 400, size: 'max' })
  .map((sizes) => sizes.map((bytes, index) => ({ idKey: `${index}`, fields: [], bytes })))
const sumBytes = (entries: readonly { bytes: number }[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0)

describe('splitIntoRuns', () => {
  it('keeps all entries in order and stays within the limits', () => {
    fc.assert(
      fc.property(entriesArbitrary, (entries) => {
        const runs = splitIntoRuns(entries)
        expect(runs.flat()).toEqual(entries)
        for (const [index, run] of runs.entries()) {
          expect(run.length).toBeGreaterThan(0)
          expect(run.length).toBeLessThanOrEqual(100)
          if (run.length > 1) expect(sumBytes(run)).toBeLessThanOrEqual(1_048_576)
          const [next] = runs[index + 1] ?? []
          // A run ends only where the next entry does not fit.
          if (next) expect(run.length === 100 || sumBytes([...run, next]) > 1_048_576).toBe(true)
        }
      }),
    )
  })
})
