import { expect, it } from 'vitest'
import { alternate } from './alternate.ts'

it('gives each side one turn per round and returns the samples in the order of the rounds', async () => {
  const turns: string[] = []
  const samples = await alternate(['A', 'B'], 3, (side) => Promise.resolve(turns.push(side)))
  expect(turns.join(' ')).toBe('A B B A B A')
  expect(samples).toEqual([
    [1, 4, 6],
    [2, 3, 5],
  ])
})

it.each([2, 3, 4, 5, 6])('lets each of %i sides follow every other one equally often', async (count) => {
  const sides = Array.from({ length: count }, (_, side) => side)
  const turns: number[] = []
  await alternate(sides, 2 * count, (side) => Promise.resolve(turns.push(side)))
  const follows = sides.map(() => sides.map(() => 0))
  for (let start = 0; start < turns.length; start += count) {
    const round = turns.slice(start, start + count)
    expect(round.toSorted()).toEqual(sides)
    for (const [position, side] of round.slice(1).entries()) follows[round[position]!]![side]!++
  }
  expect(follows).toEqual(sides.map((one) => sides.map((other) => (one === other ? 0 : 2))))
})

it('starts a turn only after the previous one has ended', async () => {
  let running = 0
  await alternate(['A', 'B'], 2, async () => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  })
})
