import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { never } from '../../test/doorbell.ts'
import { within, withTimeout } from './timeout.ts'

const longest = 2 ** 31 - 1

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([2 ** 31, Infinity])(
  'waits no less than a timer can when it may take %d ms',
  async (milliseconds) => {
    // A timer ends a longer wait after a millisecond: whoever was most patient once had no patience at all.
    let ended = false
    const step = vi.fn<(signal: AbortSignal) => Promise<never>>(never)
    const waiting = expect(
      withTimeout(milliseconds, step).finally(() => (ended = true)),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await vi.advanceTimersByTimeAsync(longest - 1)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(step.mock.lastCall?.[0].aborted).toBe(true)
  },
)

// Only promises of its own realm were once held to a time.
it.each([
  ['a promise of another realm', runInNewContext('new Promise(() => {})') as Promise<never>],
  ['what only has a `then`', { then: () => undefined } as unknown as Promise<never>],
])('waits for %s no longer than for any other', async (_, value) => {
  const waiting = expect(within(50, value)).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(50)
  await waiting
})

it('gives what a promise of another kind resolves to, and leaves no timer', async () => {
  const thenable = {
    then: (resolve: (value: string) => void) => {
      resolve('there')
    },
  }
  expect(await within(50, thenable as unknown as Promise<string>)).toBe('there')
  await expect(within(50, Promise.reject(new RangeError('away')))).rejects.toThrow(RangeError)
  expect(vi.getTimerCount()).toBe(0)
})

it('gives a value that is there at once', () => {
  expect([within(50, 1), within(50, undefined), within(50, null)]).toEqual([1, undefined, null])
})
