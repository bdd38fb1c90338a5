import { expect, it } from 'vitest'
import { defineTrial } from './trial.ts'

function compare(turn: (side: string) => Promise<number>) {
  const calls: string[] = []
  const benchmark = defineTrial({
    name: 'it',
    what: 'Does it.',
    unit: 'ms',
    base: 'a',
    prepare: () => 'shared',
    release: () => void calls.push('release'),
    sides: ['a', 'b'].map((name) => ({
      name,
      does: 'Something.',
      async turn(shared: string, turnMs: number) {
        calls.push(`${name} ${shared} ${turnMs}`)
        return { value: await turn(name) }
      },
    })),
  })
  return { benchmark, calls }
}

it('alternates the sides and releases the shared state', async () => {
  const { benchmark, calls } = compare((side) => Promise.resolve(side.length))
  expect(await benchmark.measure({ rounds: 2, turnMs: 7 })).toEqual([
    [{ value: 1 }, { value: 1 }],
    [{ value: 1 }, { value: 1 }],
  ])
  expect(calls).toEqual(['a shared 7', 'b shared 7', 'b shared 7', 'a shared 7', 'release'])
})

it('releases the shared state and rejects when a side fails', async () => {
  const { benchmark, calls } = compare(() => Promise.reject(new Error('broken')))
  await expect(benchmark.measure({ rounds: 2 })).rejects.toThrow('broken')
  expect(calls.at(-1)).toBe('release')
})
