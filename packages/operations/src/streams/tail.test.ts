import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTail } from './tail.ts'

const never = new AbortController().signal

function createSource() {
  const state = { position: 0, reads: 0 }
  return {
    state,
    read: () => {
      state.reads++
      return Promise.resolve(state.position)
    },
  }
}

it('shares one read among all streams that wait', async () => {
  const { state, read } = createSource()
  const tail = createTail({ read, leastMs: 20, mostMs: 20 })
  const waiting = Promise.all(Array.from({ length: 50 }, () => tail.waitBeyond(0, never)))
  await sleep(50)
  state.position = 1
  expect(await waiting).toEqual(Array.from({ length: 50 }, () => 1))
  expect(state.reads).toBeLessThan(50)
})

it('reads less often while nothing is new', async () => {
  const { state, read } = createSource()
  const tail = createTail({ read, leastMs: 1, mostMs: 50 })
  const client = new AbortController()
  const waiting = tail.waitBeyond(0, client.signal)
  await sleep(500)
  client.abort(new Error('The stream has ended'))
  await expect(waiting).rejects.toThrow('The stream has ended')
  // About 10 reads until the interval is 50 ms, then one per interval.
  expect(state.reads).toBeLessThan(25)
})

it('does not read without streams', async () => {
  const { state, read } = createSource()
  const tail = createTail({ read, leastMs: 1, mostMs: 1 })
  const client = new AbortController()
  const waiting = tail.waitBeyond(0, client.signal)
  client.abort(new Error('The stream has ended'))
  await expect(waiting).rejects.toThrow('The stream has ended')
  await sleep(10)
  const { reads } = state
  await sleep(30)
  expect(state.reads).toBe(reads)
})

it('reads soon after a wake-up, but not more often than the least time', async () => {
  const { state, read } = createSource()
  const listeners = new Set<() => void>()
  const onWork = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const tail = createTail({ read, onWork, leastMs: 20, mostMs: 60_000 })
  const startedAt = performance.now()
  const waiting = tail.waitBeyond(0, never)
  while (performance.now() - startedAt < 200) {
    await sleep(1)
    for (const wake of listeners) wake()
  }
  expect(state.reads).toBeLessThanOrEqual(11)
  state.position = 1
  await sleep(25)
  for (const wake of listeners) wake()
  expect(await waiting).toBe(1)
  expect(listeners.size).toBe(0)
})

it('rejects all streams that wait when a read fails', async () => {
  let fails = true
  const tail = createTail({
    read: () => (fails ? Promise.reject(new Error('The database is unavailable')) : Promise.resolve(1)),
    leastMs: 1,
  })
  const outcomes = await Promise.allSettled([tail.waitBeyond(0, never), tail.waitBeyond(0, never)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await tail.waitBeyond(0, never)).toBe(1)
})
