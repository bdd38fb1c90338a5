import { describe, expect, it } from 'vitest'
import type { ConsumerState } from '../consume/index.ts'
import type { InboxStats } from '../index.ts'
import { memoryTrafficStore } from '../traffic/index.ts'
import { watchConsumers, watchInbox, watchVerification } from './index.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 30)
const minute = 60_000

const empty: InboxStats = {
  events: { pending: 0, queued: 0, dead: 0 },
  notifications: { pending: 0, dead: 0 },
  quarantined: 0,
  published: 0,
}

const find = (stats: Partial<InboxStats>, options = {}) =>
  watchInbox({ stats: () => Promise.resolve({ ...empty, ...stats }) }, options).find(now, signal)

const { signal } = new AbortController()

describe('watchInbox', () => {
  it('finds nothing in an inbox without failures', async () => {
    expect(await find({ oldestPendingAt: now - 5 * minute })).toEqual([])
  })

  it.each([
    ['dead_letters', 0, '1 event has', { events: { ...empty.events, dead: 1 } }],
    ['dead_letters', 3, '1,234 events have', { events: { ...empty.events, dead: 1234 } }],
    ['dead_letters', 4, '10,000 or more events have', { events: { ...empty.events, dead: 10_000 } }],
    ['dead_notifications', 1, '12 notifications have', { notifications: { pending: 0, dead: 12 } }],
    ['quarantine', 0, '2 verified deliveries could', { quarantined: 2 }],
    ['events_wait', undefined, 'waited for 6 minutes', { oldestPendingAt: now - 6 * minute }],
  ] as const)('finds %s at level %s: %s', async (name, level, text, stats) => {
    const findings = await find(stats)
    expect(findings).toMatchObject([{ name, text: expect.stringContaining(text) as string }])
    expect(findings[0]?.level).toBe(level)
  })

  it('finds waiting events after the given time', async () => {
    expect(await find({ oldestPendingAt: now - 2 * minute }, { oldestPendingMs: minute })).toHaveLength(1)
  })
})

describe('watchConsumers', () => {
  const state = { name: 'builds', position: 1, pending: 0, waiting: 0, failing: 0, deadLetters: 0 }
  const unknown = { oldestPendingAt: undefined, lastError: undefined, process: undefined }
  const findOf = (changes: Partial<ConsumerState>, options = {}) =>
    watchConsumers({ list: () => Promise.resolve([{ ...state, ...unknown, ...changes }]) }, options).find(
      now,
      signal,
    )

  it('finds nothing at a consumer that is up to date', async () => {
    expect(await findOf({ oldestPendingAt: now - 5 * minute })).toEqual([])
  })

  it('finds dead letters', async () => {
    expect(await findOf({ deadLetters: 12 })).toMatchObject([
      {
        name: 'consumer_dead_letters/builds',
        level: 1,
        text: expect.stringContaining('12 events') as string,
      },
    ])
  })

  it('finds events that wait for too long, and names the error', async () => {
    const failing = { oldestPendingAt: now - 6 * minute, failing: 1, lastError: 'RangeError' }
    expect(await findOf(failing)).toMatchObject([
      { name: 'consumer_waits/builds', text: expect.stringContaining('RangeError') as string },
    ])
    expect(await findOf(failing, { oldestPendingMs: 7 * minute })).toEqual([])
  })
})

describe('watchVerification', () => {
  it('finds providers with as many invalid signatures as the limit in ten minutes', async () => {
    const traffic = memoryTrafficStore()
    const row = (provider: string, minutesAgo: number, count: number, reason = 'INVALID_SIGNATURE') => ({
      minute: Math.floor(now / minute) * minute - minutesAgo * minute,
      ...{ provider, outcome: 'refused' as const, reason, count },
    })
    await traffic.add([
      ...[0, 5, 9].map((minutesAgo) => row('github', minutesAgo, 7)),
      row('stripe', 1, 19),
      row('slack', 10, 500),
      row('shopify', 1, 500, 'RATE_LIMITED'),
    ])
    expect(await watchVerification(traffic).find(now, signal)).toMatchObject([
      { name: 'verification_failures/github', level: 1, title: 'Signatures of github are invalid' },
    ])
    expect(await watchVerification(traffic, { limit: 19 }).find(now, signal)).toHaveLength(2)
  })
})
