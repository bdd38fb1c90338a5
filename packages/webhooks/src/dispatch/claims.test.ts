import { createEvent } from '@sallyport/webhooks/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ClaimedWork } from '../index.ts'
import { createClaims } from './claims.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const work = { event: createEvent('a', 0), lease: 'lease', attempts: 0, route: 'queue' } as ClaimedWork

it.each([
  ['at once while it accepts none of the claimed work', [[work], [work], []], 3],
  ['at the next poll after an empty claim', [[]], 1],
])('claims again %s', async (_, answers, asked) => {
  const claim = vi.fn<() => Promise<readonly ClaimedWork[]>>()
  for (const answer of answers) claim.mockResolvedValueOnce(answer)
  claim.mockResolvedValue([])
  const claims = createClaims({
    ...{ claim, leaseMs: 1000, longestDelayMs: 1000, pollMs: 60_000, onError: undefined },
    startLease: () => () => 0,
    room: () => ({ limit: 1, maxBytes: 1 }),
    prepare: () => Promise.resolve(),
    take: () => 0,
    release: () => Promise.resolve(),
  })
  claims.start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(claim).toHaveBeenCalledTimes(asked)
  await claims.stop()
  expect(vi.getTimerCount()).toBe(0)
})
