import { createFetchHandler } from '@sallyport/rest/fetch'
import { createApi } from '@sallyport/rest'
import type { TrafficCount } from '@sallyport/webhooks/traffic'
import { createMemoryTrafficStore } from '@sallyport/test-support/webhooks'
import { describe, expect, it } from 'vitest'
import { statisticsRoute } from './statistics.ts'

const minute = 60_000
const now = Date.UTC(2026, 0, 2, 12, 34, 56)
const current = Date.UTC(2026, 0, 2, 12, 34)

async function read(counts: readonly TrafficCount[], query = '') {
  const store = createMemoryTrafficStore()
  await store.add(counts)
  const api = createApi({ routes: [statisticsRoute(store, 'public', () => now)] })
  const response = await createFetchHandler(api)(new Request(`http://localhost/statistics${query}`))
  return { status: response.status, body: await response.json() }
}

const row = (changes: Partial<TrafficCount>): TrafficCount => {
  return { minute: current, provider: 'codehost', outcome: 'accepted', reason: '', count: 1, ...changes }
}

describe('GET /statistics', () => {
  it('shows an hour in minutes by default', async () => {
    const { body } = await read([
      row({ count: 3 }),
      row({ minute: current - minute }),
      row({ minute: current - 59 * minute, count: 7 }),
      row({ minute: current - 60 * minute, count: 100 }),
      row({ provider: 'unknown', outcome: 'refused', reason: 'UNKNOWN_PROVIDER', count: 2 }),
    ])
    expect(body).toMatchObject({
      data: {
        window: '1h',
        interval_seconds: 60,
        from: '2026-01-02T11:35:00.000Z',
        to: '2026-01-02T12:35:00.000Z',
        totals: { accepted: 11, duplicate: 0, ignored: 0, quarantined: 0, refused: 2 },
        reasons: [{ provider: 'unknown', outcome: 'refused', reason: 'UNKNOWN_PROVIDER', count: 2 }],
      },
    })
    const { series } = (body as { data: { series: { provider: string; counts: number[] }[] } }).data
    expect(series.map(({ provider }) => provider)).toEqual(['codehost', 'unknown'])
    expect(series[0]?.counts).toEqual([7, ...Array.from({ length: 57 }, () => 0), 1, 3])
  })

  it.each([
    ['24h', 600, 144, '2026-01-01T12:40:00.000Z', '2026-01-02T12:40:00.000Z'],
    ['7d', 3600, 168, '2025-12-26T13:00:00.000Z', '2026-01-02T13:00:00.000Z'],
  ])('shows %s in intervals of %i seconds', async (window, seconds, intervals, from, to) => {
    const { body } = await read([row({}), row({ minute: Date.parse(from), count: 5 })], `?window=${window}`)
    const counts = [5, ...Array.from({ length: intervals - 2 }, () => 0), 1]
    expect(body).toMatchObject({
      data: { window, interval_seconds: seconds, from, to, series: [{ counts }] },
    })
  })

  it('shows at most 200 reasons, the most frequent first', async () => {
    const counts = Array.from({ length: 250 }, (_, kind) =>
      row({ outcome: 'ignored', reason: `kind-${kind}`, count: kind + 1 }),
    )
    const { reasons } = ((await read(counts)).body as { data: { reasons: { reason: string }[] } }).data
    expect([reasons.length, reasons[0]?.reason]).toEqual([200, 'kind-249'])
  })

  it('rejects another window', async () => {
    expect((await read([], '?window=2h')).status).toBe(400)
  })
})
