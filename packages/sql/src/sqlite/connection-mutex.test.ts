import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConnectionMutex } from './connection-mutex.ts'

const timeoutMs = 1000
const exhausted = { code: 'OVERLOADED', status: 503, cause: { code: 'POOL_EXHAUSTED' } }

let mutex: ConnectionMutex
beforeEach(async () => {
  vi.useFakeTimers()
  mutex = new ConnectionMutex({ timeoutMs, maxWaiting: 20 })
  await mutex.acquire()
})
afterEach(() => {
  vi.useRealTimers()
})

it('does not time out in a long queue of slow callers', async () => {
  const held: number[] = []
  const holding = Array.from({ length: 20 }, async (_, lock) => {
    await mutex.acquire()
    held.push(lock)
    setTimeout(() => {
      mutex.release()
    }, timeoutMs - 1)
  })
  mutex.release()
  await vi.advanceTimersByTimeAsync(20 * timeoutMs)
  await Promise.all(holding)
  expect(held).toEqual([...held.keys()])
})

it('does not time out during a long statement', async () => {
  const waiting = mutex.acquire()
  for (let statement = 0; statement < 20; statement++) {
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    mutex.progress()
  }
  mutex.release()
  await expect(waiting).resolves.toBeUndefined()
})

it('times out callers that wait for an idle owner, but not later callers', async () => {
  const first = expect(mutex.acquire()).rejects.toMatchObject(exhausted)
  await vi.advanceTimersByTimeAsync(timeoutMs / 2)
  const second = mutex.acquire()
  await vi.advanceTimersByTimeAsync(timeoutMs / 2)
  await first
  mutex.release()
  await second
  mutex.release()
  await expect(mutex.acquire()).resolves.toBeUndefined()
})

it('rejects a caller at once when too many wait', async () => {
  const waiting = Array.from({ length: 20 }, () => mutex.acquire())
  await expect(mutex.acquire()).rejects.toMatchObject(exhausted)
  for (const turn of waiting) {
    mutex.release()
    await turn
  }
})
