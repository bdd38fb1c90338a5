import { describe, expect, it } from 'vitest'
import type { ConsumerState } from '../consume/index.ts'
import type { Endpoint } from '../endpoints/index.ts'
import type { InboxStats, LaneSummary } from '../index.ts'
import { createMemoryTrafficStore } from '../traffic/memory-store.ts'
import { watchConsumers, watchInbox, watchVerification } from './sources.ts'
import { watchLanes } from './lanes.ts'

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

describe('watchInbox with endpoints', () => {
  const group = { status: 'dead', provider: 'doorbell', kind: 'rung', events: 1, endpoints: 1 } as const
  const times = { firstReceivedAt: 0, lastReceivedAt: 0, newestDelivery: '1' }

  it('names the endpoints of dead letters, and the id of one without a name', async () => {
    const inbox = {
      stats: () => Promise.resolve({ ...empty, events: { ...empty.events, dead: 5 } }),
      failures: () =>
        Promise.resolve({
          groups: ['e1', 'e1', 'e2', undefined].map((newestEndpoint) => {
            return { ...group, ...times, ...(newestEndpoint !== undefined && { newestEndpoint }) }
          }),
          truncated: false,
        }),
    }
    const [finding] = await watchInbox(inbox, { endpoints: named('e1', 'Acme Ltd') }).find(now, signal)
    expect(finding?.text).toMatch(/Endpoints: Acme Ltd, e2\.$/)
  })
})

/** Endpoints of which one has a name. */
const named = (id: string, name: string) => ({
  getMany: () => Promise.resolve([{ id, name } as Endpoint]),
})

describe('watchLanes', () => {
  const lane = (name: string, state: 'stuck' | 'paused', minutes: number, first = {}): LaneSummary => ({
    ...{ name, state, isOrdered: true, events: 2 },
    first: {
      ...{ id: `${name}:1`, name: 'doorbell/bell.rung', deliveryId: '1', attempts: 3, dueAt: now },
      ...{ since: now - minutes * minute, ...first },
    },
  })
  const findIn = (lanes: readonly LaneSummary[], options = {}) =>
    watchLanes(
      { listLanes: ({ state }) => Promise.resolve(lanes.filter((one) => one.state === state)) },
      options,
    ).find(now, signal)

  it('finds nothing before the limit, and at a paused lane without events', async () => {
    const empty: LaneSummary = { name: 'c', state: 'paused', isOrdered: true, events: 0, pausedAt: 0 }
    expect(await findIn([lane('a', 'stuck', 5), lane('b', 'paused', 5), empty])).toEqual([])
    expect(await findIn([lane('a', 'stuck', 5)], { oldestPendingMs: 4 * minute })).toHaveLength(1)
  })

  it('finds stuck and paused lanes, and names their endpoints', async () => {
    const failed = { lastError: 'TimeoutError', endpoint: 'e1' }
    const lanes = [
      lane('e1', 'stuck', 9, failed),
      lane('front', 'stuck', 8, failed),
      ...['x', 'y', 'z'].map((name) => lane(name, 'stuck', 7)),
      lane('p', 'paused', 6),
    ]
    expect(await findIn(lanes, { endpoints: named('e1', 'Acme Ltd') })).toEqual([
      {
        ...{ name: 'lanes_stuck', severity: 'error', level: 0, title: 'Lanes are stuck' },
        text: 'The first event fails for more than 5 minutes in 5 lanes: Acme Ltd (TimeoutError), Acme Ltd (lane front, TimeoutError), x and 2 more. Repair the cause, or skip the event.',
      },
      {
        ...{ name: 'lanes_paused', severity: 'warning', level: 0, title: 'Paused lanes have events' },
        text: 'Events wait for more than 5 minutes in 1 paused lane: p. Repair the cause, then resume the lanes.',
      },
    ])
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
    const traffic = createMemoryTrafficStore()
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
