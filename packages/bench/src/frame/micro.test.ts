import { describe, expect, it, vi } from 'vitest'
import { defineMicro, type Call } from './micro.ts'

const effort = { rounds: 3, turnMs: 1 }

function compare(calls: Readonly<Record<string, Call>>, agree?: (result: unknown) => unknown) {
  const released: string[] = []
  const benchmark = defineMicro({
    name: 'it',
    what: 'Does it.',
    base: Object.keys(calls)[0] ?? '',
    prepare: () => 'shared',
    release: (shared) => {
      released.push(shared)
    },
    ...(agree && { agree }),
    sides: Object.entries(calls).map(([name, call]) => ({ name, does: 'Something.', setup: () => call })),
  })
  return { benchmark, released }
}

describe('a comparison of functions', () => {
  it('returns a positive sample per side and round', async () => {
    const { benchmark, released } = compare(
      { now: () => 1, later: () => Promise.resolve(1) },
      (result) => result,
    )
    const samples = await benchmark.measure(effort)
    expect(samples.map((rounds) => rounds.length)).toEqual([3, 3])
    for (const { value } of samples.flat()) expect(value).toBeGreaterThan(0)
    expect(released).toEqual(['shared'])
  })

  it('warms up a side before it measures', async () => {
    const now = performance.now.bind(performance)
    /** Number of calls between two reads of the clock. */
    const calls = [0]
    const call = () => calls.splice(-1, 1, (calls.at(-1) ?? 0) + 1)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      calls.push(0)
      return now()
    })
    try {
      await compare({ call, other: () => 1 }).benchmark.measure({ rounds: 1, turnMs: 1 })
    } finally {
      clock.mockRestore()
    }
    const [before = 0, timed = 0] = calls.filter((count) => count > 0).slice(-2)
    expect(before).toBe(Math.ceil(timed / 4))
  })

  it('awaits a promise before the next call', async () => {
    let running = 0
    const slow = async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await compare({ slow, quick: () => 1 }).benchmark.measure(effort)
  })

  it('of sides that return different results has no figures', async () => {
    const { benchmark, released } = compare(
      { one: () => 1, two: () => Promise.resolve(2) },
      (result) => result,
    )
    await expect(benchmark.measure(effort)).rejects.toThrow('"two" and "one" return different results')
    expect(released).toEqual(['shared'])
  })

  it('rejects when a side fails', async () => {
    const fail = () => Promise.reject(new Error('broken'))
    const { benchmark, released } = compare({ fine: () => 1, fail })
    await expect(benchmark.measure(effort)).rejects.toThrow('broken')
    expect(released).toEqual(['shared'])
  })
})
