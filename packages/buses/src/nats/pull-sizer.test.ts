import { describe, expect, it } from 'vitest'
import { PullSizer } from './pull-sizer.ts'

/** Returns the sizes of the messages of each pull. */
function simulatePulls(
  sizes: readonly number[],
  limits: ConstructorParameters<typeof PullSizer>[0],
): number[][] {
  const sizer = new PullSizer(limits)
  const taken: number[][] = []
  for (let at = 0, asked = sizer.next(); asked > 0 && at < sizes.length; asked = sizer.next()) {
    const pull = sizes.slice(at, at + asked)
    sizer.record(pull.map((size) => ({ data: new Uint8Array(size) })))
    at += pull.length
    taken.push(pull)
  }
  return taken
}

const many = (count: number, size: number) => Array.from({ length: count }, () => size)
const countMessages = (pulls: readonly number[][]) => pulls.map(({ length }) => length)

describe('PullSizer', () => {
  it('requests all messages at once without a byte limit', () => {
    const limits = { limit: 500, maxBytes: Infinity, messageBytes: 1000 }
    expect(countMessages(simulatePulls(many(600, 900), limits))).toEqual([500])
  })

  it('requests at once all messages that fit at their maximum size', () => {
    const limits = { limit: 500, maxBytes: 64_000, messageBytes: 1000 }
    expect(countMessages(simulatePulls(many(600, 1000), limits))).toEqual([64])
    expect(countMessages(simulatePulls(many(600, 10), limits))).toEqual([64, 128, 256, 52])
  })

  it('starts with one message and then requests as many as are likely to fit', () => {
    const limits = { limit: 500, maxBytes: 2500, messageBytes: 1_000_000 }
    expect(simulatePulls(many(9, 1_000_000), limits)).toEqual([[1_000_000]])
    expect(countMessages(simulatePulls(many(9, 1000), limits))).toEqual([1, 1, 1])
    expect(countMessages(simulatePulls(many(100, 20), limits))).toEqual([1, 2, 6, 18, 54, 19])
  })

  it('grows the requests for small messages up to a limit', () => {
    // Without growth, a thousand messages took 17 sequential pulls.
    const limits = { limit: 1000, maxBytes: 16_777_216, messageBytes: 1_048_576 }
    expect(countMessages(simulatePulls(many(1000, 2000), limits))).toEqual([16, 32, 96, 256, 256, 256, 88])
  })

  it('requests one message if no byte is allowed', () => {
    for (const maxBytes of [0, -1, Number.NaN])
      expect(countMessages(simulatePulls(many(9, 10), { limit: 5, maxBytes, messageBytes: 100 }))).toEqual([
        1,
      ])
  })
})
