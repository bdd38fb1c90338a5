import { expect, it } from 'vitest'
import { alternate } from './alternate.ts'

it('gives each side one turn a round, and keeps the samples of each in the order of the rounds', async () => {
  const turns: string[] = []
  const samples = await alternate(['A', 'B'], 3, (side) => Promise.resolve(turns.push(side)))
  expect(turns.join(' ')).toBe('A B A B A B')
  expect(samples).toEqual([
    [1, 3, 5],
    [2, 4, 6],
  ])
})

it('begins no turn before the one before it has ended', async () => {
  let running = 0
  await alternate(['A', 'B'], 2, async () => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  })
})
