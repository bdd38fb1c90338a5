import { describe, expect, it } from 'vitest'
import { Portions } from './portions.ts'

/** The portions by which messages of these sizes would be taken. */
function portionsOf(sizes: readonly number[], room: ConstructorParameters<typeof Portions>[0]): number[][] {
  const portions = new Portions(room)
  const taken: number[][] = []
  for (let at = 0, asked = portions.next(); asked > 0 && at < sizes.length; asked = portions.next()) {
    const portion = sizes.slice(at, at + asked)
    portions.took(portion.map((size) => ({ data: new Uint8Array(size) })))
    at += portion.length
    taken.push(portion)
  }
  return taken
}

const many = (count: number, size: number) => Array.from({ length: count }, () => size)
const countsOf = (portions: readonly number[][]) => portions.map(({ length }) => length)

describe('Portions', () => {
  it('asks for everything at once when nothing bounds the bytes', () => {
    const room = { limit: 500, maxBytes: Infinity, messageBytes: 1000 }
    expect(countsOf(portionsOf(many(600, 900), room))).toEqual([500])
  })

  it('asks at once for what fits however large it is', () => {
    const room = { limit: 500, maxBytes: 64_000, messageBytes: 1000 }
    expect(countsOf(portionsOf(many(600, 1000), room))).toEqual([64])
    expect(countsOf(portionsOf(many(600, 10), room))).toEqual([64, 128, 256, 52])
  })

  it('asks for one, and for no more than are likely to fit', () => {
    const room = { limit: 500, maxBytes: 2500, messageBytes: 1_000_000 }
    expect(portionsOf(many(9, 1_000_000), room)).toEqual([[1_000_000]])
    expect(countsOf(portionsOf(many(9, 1000), room))).toEqual([1, 1, 1])
    expect(countsOf(portionsOf(many(100, 20), room))).toEqual([1, 2, 6, 18, 54, 19])
  })

  it('asks ever more at once for small ones, up to a bound', () => {
    // A thousand once took 17 pulls, one after the other.
    const room = { limit: 1000, maxBytes: 16_777_216, messageBytes: 1_048_576 }
    expect(countsOf(portionsOf(many(1000, 2000), room))).toEqual([16, 32, 96, 256, 256, 256, 88])
  })

  it('asks for one where there is no room at all', () => {
    for (const maxBytes of [0, -1, Number.NaN])
      expect(countsOf(portionsOf(many(9, 10), { limit: 5, maxBytes, messageBytes: 100 }))).toEqual([1])
  })
})
