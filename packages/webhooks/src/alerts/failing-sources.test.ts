import { createDelivery } from '@sallyport/test-support/records'
import { describe, expect, it } from 'vitest'
import { createMemoryInbox } from '../index.ts'
import type { TrafficCount } from '../traffic/index.ts'
import { createMemoryTrafficStore } from '../traffic/memory-store.ts'
import type { UnprocessedRecord } from '../unprocessed/index.ts'
import { createMemoryUnprocessedStore } from '../unprocessed/memory-store.ts'
import { watchEndpoints, watchServices } from './failing-sources.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 30)
const minute = 60_000
const { signal } = new AbortController()

describe('watchServices', () => {
  async function find(
    rows: readonly (readonly [
      minutesAgo: number,
      outcome: TrafficCount['outcome'],
      count: number,
      reason?: string,
    ])[],
  ) {
    const traffic = createMemoryTrafficStore()
    await traffic.add(
      rows.map(([minutesAgo, outcome, count, reason]) => ({
        ...{ minute: Math.floor(now / minute) * minute - minutesAgo * minute, provider: 'github' },
        ...{ outcome, reason: reason ?? (outcome === 'refused' ? 'INVALID_SIGNATURE' : ''), count },
      })),
    )
    found = await watchServices(traffic).find(now, signal)
    return found.map(({ name }) => name)
  }
  let found: Awaited<ReturnType<ReturnType<typeof watchServices>['find']>> = []
  const fails = ['service_fails/github']

  it('finds a quiet service of which all deliveries fail in ten minutes', async () => {
    expect(
      await find([
        [30, 'accepted', 600],
        [9, 'refused', 10],
        [1, 'refused', 7],
      ]),
    ).toEqual(fails)
    expect(
      await find([
        [30, 'accepted', 600],
        [9, 'quarantined', 3],
      ]),
    ).toEqual(fails)
  })

  it('finds nothing for requests that are no deliveries, and for an outage of the inbox or the store of bodies', async () => {
    expect(
      await find([
        [30, 'accepted', 600],
        [9, 'refused', 50, 'METHOD_NOT_ALLOWED'],
        [8, 'refused', 50, 'INBOX_UNAVAILABLE'],
        [8, 'refused', 50, 'BODY_UNAVAILABLE'],
        [7, 'refused', 2],
      ]),
    ).toEqual([])
  })

  it('names the reason, and the secret only for signatures', async () => {
    const early = [30, 'accepted', 600] as const
    await find([early, [9, 'refused', 5, 'UNSUPPORTED_MEDIA_TYPE'], [8, 'refused', 1]])
    expect(found[0]?.text).toBe(
      '6 deliveries failed, most of them with UNSUPPORTED_MEDIA_TYPE, and none was accepted for 30 minutes.',
    )
    await find([early, [9, 'refused', 5]])
    expect(found[0]?.text).toContain('INVALID_SIGNATURE')
    expect(found[0]?.text).toContain('Compare the secret')
  })

  it('finds nothing while a delivery succeeds, and before the usual interval has passed', async () => {
    expect(
      await find([
        [30, 'accepted', 600],
        [9, 'refused', 17],
        [5, 'duplicate', 1],
      ]),
    ).toEqual([])
    expect(
      await find([
        [30, 'accepted', 600],
        [9, 'refused', 2],
      ]),
    ).toEqual([])
    // Six deliveries a day: three of them arrive in twelve hours.
    expect(
      await find([
        [600, 'accepted', 6],
        [9, 'refused', 17],
      ]),
    ).toEqual([])
    expect(
      await find([
        [730, 'accepted', 6],
        [9, 'refused', 17],
      ]),
    ).toEqual(fails)
  })

  it('needs more failures of a service without a success', async () => {
    expect(await find([[20, 'refused', 9]])).toEqual([])
    expect(await find([[20, 'refused', 10]])).toEqual(fails)
  })
})

describe('watchEndpoints', () => {
  const refused = (id: string, minutesAgo: number): UnprocessedRecord => ({
    ...{ id, endpoint: 'acme', outcome: 'refused', provider: 'doorbell', reason: 'mismatch', status: 401 },
    ...{
      receivedAt: now - minutesAgo * minute,
      headers: {},
      body: new Uint8Array(),
      bodyBytes: 0,
      storedBytes: 1,
    },
  })

  async function find(received: readonly number[], failed: readonly number[]) {
    const inbox = createMemoryInbox()
    for (const minutesAgo of received)
      await inbox.record({
        ...createDelivery(now - minutesAgo * minute, `doorbell:${minutesAgo}`),
        endpoint: 'acme',
      })
    const unprocessed = createMemoryUnprocessedStore()
    await unprocessed.add(failed.map((minutesAgo, index) => refused(`r${index}`, minutesAgo)))
    return (await watchEndpoints(unprocessed, inbox).find(now, signal)).map(({ name }) => name)
  }

  it('finds an endpoint of which all deliveries are refused for its usual interval', async () => {
    expect(await find([20, 21, 22], [1, 2, 3])).toEqual(['endpoint_fails/acme'])
    expect(await find([20, 21, 22], [1, 2])).toEqual([])
    expect(await find([5, 21, 22], [1, 2, 3])).toEqual([])
    // One delivery an hour: three of them arrive in three hours.
    expect(await find([20, 80, 140], [1, 2, 3])).toEqual([])
    expect(await find([200, 260, 320], [1, 2, 3])).toEqual(['endpoint_fails/acme'])
    expect(await find([], [1, 2, 3])).toEqual([])
  })
})
