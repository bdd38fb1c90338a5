import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Turns } from './turns.ts'

const patienceMs = 1000
const exhausted = { code: 'OVERLOADED', status: 503, cause: { code: 'POOL_EXHAUSTED' } }

let turns: Turns
beforeEach(async () => {
  vi.useFakeTimers()
  turns = new Turns({ patienceMs, maxWaiting: 20 })
  await turns.take()
})
afterEach(() => {
  vi.useRealTimers()
})

it('has nobody give up behind many others, each of which takes its time', async () => {
  const held: number[] = []
  const holding = Array.from({ length: 20 }, async (_, turn) => {
    await turns.take()
    held.push(turn)
    setTimeout(() => {
      turns.give()
    }, patienceMs - 1)
  })
  turns.give()
  await vi.advanceTimersByTimeAsync(20 * patienceMs)
  await Promise.all(holding)
  expect(held).toEqual([...held.keys()])
})

it('has nobody give up behind one that is long at work', async () => {
  const waiting = turns.take()
  for (let statement = 0; statement < 20; statement++) {
    await vi.advanceTimersByTimeAsync(patienceMs - 1)
    turns.progress()
  }
  turns.give()
  await expect(waiting).resolves.toBeUndefined()
})

it('has those give up that wait behind one that does nothing, and nobody who comes later for their sake', async () => {
  const first = expect(turns.take()).rejects.toMatchObject(exhausted)
  await vi.advanceTimersByTimeAsync(patienceMs / 2)
  const second = turns.take()
  await vi.advanceTimersByTimeAsync(patienceMs / 2)
  await first
  turns.give()
  await second
  turns.give()
  await expect(turns.take()).resolves.toBeUndefined()
})

it('refuses at once who comes when too many wait', async () => {
  const waiting = Array.from({ length: 20 }, () => turns.take())
  await expect(turns.take()).rejects.toMatchObject(exhausted)
  for (const turn of waiting) {
    turns.give()
    await turn
  }
})
