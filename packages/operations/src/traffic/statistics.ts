import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { TrafficOutcome, TrafficStore, TrafficSums } from '@sallyport/webhooks/traffic'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'

const route = createRouteGroup({ tags: ['statistics'] })

const outcomes = ['accepted', 'duplicate', 'ignored', 'quarantined', 'refused'] as const

const minute = 60_000

/** The number and the length of the intervals of each window. */
const windows = {
  '1h': { intervals: 60, intervalMs: minute },
  '24h': { intervals: 144, intervalMs: 10 * minute },
  '7d': { intervals: 168, intervalMs: 60 * minute },
} as const

const windowName = z.enum(['1h', '24h', '7d'])
const count = z
  .int()
  .nonnegative()
  .meta({ examples: [12] })
const provider = z
  .string()
  .meta({ description: '`unknown` for a path that names no provider.', examples: ['codehost'] })
const outcome = z.enum(outcomes)

const statisticsResource = z
  .object({
    window: windowName,
    interval_seconds: z.int().meta({ description: 'The length of an interval.', examples: [60] }),
    from: time.meta({ description: 'The start of the first interval.' }),
    to: time.meta({ description: 'The end of the last interval, which is not complete yet.' }),
    totals: z.object({
      accepted: count,
      duplicate: count,
      ignored: count,
      quarantined: count,
      refused: count,
    }),
    series: z.array(
      z.object({
        provider,
        outcome,
        counts: z.array(count).meta({
          description: 'The number of requests of each interval, oldest first.',
          examples: [[0, 3, 1]],
        }),
      }),
    ),
    reasons: z
      .array(
        z.object({
          provider,
          outcome,
          reason: z.string().meta({
            description:
              'The kind of ignored deliveries, the code of refused and quarantined ones. `other` has reasons beyond 20 a minute.',
            examples: ['INVALID_SIGNATURE'],
          }),
          count,
        }),
      )
      .meta({ description: 'The most frequent reasons first, at most 200.' }),
  })
  .meta({ id: 'Statistics' })

type Statistics = z.infer<typeof statisticsResource>

const maxReasons = 200

/** Creates the route of the numbers of requests. */
export function statisticsRoute(
  traffic: Pick<TrafficStore, 'sum'>,
  access: RouteAccess,
  now: () => number = Date.now,
): RouteBinding {
  return route.get(
    '/statistics',
    {
      operationId: 'getStatistics',
      tool: { trusted: true },
      summary: 'Get the numbers of requests by provider, outcome and reason',
      description:
        'All requests to the gateway, also those that were not recorded. Processes write their counts every few seconds. Handshakes are not counted.',
      access,
      query: z.strictObject({ window: windowName.default('1h') }),
      responses: { 200: { description: 'The numbers of requests', data: statisticsResource } },
    },
    async ({ query: { window } }) => {
      const { intervals, intervalMs } = windows[window]
      const to = Math.floor(now() / intervalMs + 1) * intervalMs
      const from = to - intervals * intervalMs
      const { series, reasons } = await traffic.sum({ from, to, intervalMs })
      return {
        status: 200,
        body: dataEnvelope({
          window,
          interval_seconds: intervalMs / 1000,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          totals: sumTotals(series),
          series: toSeries(series, intervals, (at) => (at - from) / intervalMs),
          reasons: reasons
            .filter(({ reason }) => reason !== '')
            .slice(0, maxReasons)
            .map((one) => ({ ...one })),
        }),
      }
    },
  )
}

function sumTotals(series: TrafficSums['series']): Record<TrafficOutcome, number> {
  const totals = { accepted: 0, duplicate: 0, ignored: 0, quarantined: 0, refused: 0 }
  for (const one of series) totals[one.outcome] += one.count
  return totals
}

/** Returns one list of counts per provider and outcome, by provider. */
function toSeries(
  sums: TrafficSums['series'],
  intervals: number,
  toIndex: (at: number) => number,
): Statistics['series'] {
  const series = new Map<string, Statistics['series'][number]>()
  for (const one of sums) {
    const key = `${one.provider} ${outcomes.indexOf(one.outcome)}`
    const found = series.get(key) ?? {
      provider: one.provider,
      outcome: one.outcome,
      counts: Array.from({ length: intervals }, () => 0),
    }
    found.counts[toIndex(one.at)] = one.count
    series.set(key, found)
  }
  return [...series].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)
}
