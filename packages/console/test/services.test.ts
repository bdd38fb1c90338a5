import { expect, it } from 'vitest'
import { formatRate, formatShare, listServices } from '../src/app/overview/services.ts'

const minute = 60_000
const now = Date.UTC(2026, 0, 1)
const ago = (ms: number) => new Date(now - ms).toISOString()

const count = (provider: string, deliveries: number, first: number, last: number) => ({
  ...{ provider, deliveries, latency_ms: 12 },
  ...{ first_received_at: ago(first), last_received_at: ago(last) },
})

it('joins requests, deliveries and registered providers, the busiest first', () => {
  const series = [
    { provider: 'github', outcome: 'accepted', counts: [1, 2] },
    { provider: 'github', outcome: 'refused', counts: [1, 0] },
    { provider: 'stripe', outcome: 'duplicate', counts: [9] },
    { provider: 'unknown', outcome: 'refused', counts: [50] },
  ] as const
  const counts = [count('github', 3, minute, 0)]
  expect(
    listServices({
      ...{ registered: ['slack', 'github'], counts, now },
      series: series.map((one) => ({ ...one, counts: [...one.counts] })),
    }),
  ).toMatchObject([
    { provider: 'stripe', requests: 9, success: 1, lastReceivedAt: undefined, latencyMs: undefined },
    { provider: 'github', requests: 4, success: 0.75, lastReceivedAt: ago(0), latencyMs: 12 },
    { provider: 'slack', requests: 0, success: undefined, isSilent: false },
  ])
})

it.each([
  ['ten of its usual intervals', count('github', 11, 120 * minute, 100 * minute), true],
  ['less than ten minutes', count('github', 11, 10 * minute, 9 * minute), false],
  ['less than ten intervals', count('github', 3, 100 * minute, 80 * minute), false],
  ['a time after one delivery', count('github', 1, 900 * minute, 900 * minute), false],
])('compares a silence of %s', (_, one, isSilent) => {
  expect(listServices({ registered: [], series: [], counts: [one], now })[0]?.isSilent).toBe(isSilent)
})

it.each([
  [120, 3600, '2/min'],
  [30, 3600, '30/h'],
  [84, 7 * 86_400, '0.5/h'],
  [0, 3600, '0/h'],
])('formats %i requests in %i s as %s', (requests, seconds, text) => {
  expect(formatRate(requests, seconds)).toBe(text)
})

it('rounds a share down, so that 100% means all', () => {
  expect([1, 0.9999, 0].map(formatShare)).toEqual(['100%', '99.9%', '0.0%'])
})
