import type { OperatorInbox } from '../ports/ports.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'
import type { AlertSource } from './alerts.ts'
import type { Finding } from './evaluate.ts'
import { formatDuration } from './message.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The shortest time without a success that is a failure. */
const leastMs = 10 * minuteMs
/** A service is late when this many of its deliveries would have arrived. */
const intervals = 3
const fewFailures = 3
/** Without a success in a day, forged deliveries could cause an alert. */
const manyFailures = 10

/** Returns how long a service may be without a success: some of its usual intervals. */
const getWindow = (periodMs: number, successes: number): number =>
  successes === 0 ? leastMs : Math.max(leastMs, (intervals * periodMs) / successes)

const createFinding = (name: string, what: string, failures: number, silentMs: number): Finding => ({
  ...{ name, severity: 'error', title: `Every delivery of ${what} fails` },
  text: `${failures.toLocaleString('en-US')} deliveries were refused or quarantined, and none was accepted for ${formatDuration(silentMs)}. Compare the secret with the one of the service, then verify the refused deliveries again.`,
})

/**
 * Finds providers of which every delivery fails for longer than their usual interval: the time in which three deliveries
 * arrive, at least ten minutes and at most a day.
 *
 * The alerts are `service_fails/<provider>`.
 */
export function watchServices(traffic: Pick<TrafficStore, 'sum'>): AlertSource {
  let checkedAt = -Infinity
  let findings: readonly Finding[] = []
  return {
    name: 'services',
    async find(now) {
      // A sum of a day takes longer than the other sources.
      if (now - checkedAt < minuteMs && now >= checkedAt) return findings
      const to = (Math.floor(now / minuteMs) + 1) * minuteMs
      const { series } = await traffic.sum({ from: to - dayMs, to, intervalMs: minuteMs })
      checkedAt = now
      findings = [...Map.groupBy(series, ({ provider }) => provider)].flatMap(([provider, counts]) =>
        provider === 'unknown' ? [] : findOf(provider, counts, to),
      )
      return findings
    },
  }
}

type Series = Awaited<ReturnType<TrafficStore['sum']>>['series']

function findOf(provider: string, counts: Series, to: number): readonly Finding[] {
  const isFailure = ({ outcome }: Series[number]) => outcome === 'refused' || outcome === 'quarantined'
  const good = counts.filter((one) => !isFailure(one))
  const successes = good.reduce((sum, { count }) => sum + count, 0)
  const last = Math.max(to - dayMs, ...good.map(({ at }) => at + minuteMs))
  const failures = counts
    .filter((one) => isFailure(one) && one.at >= last)
    .reduce((sum, { count }) => sum + count, 0)
  const isLate = to - last >= getWindow(dayMs, successes)
  if (!isLate || failures < (successes === 0 ? manyFailures : fewFailures)) return []
  return [createFinding(`service_fails/${provider}`, provider, failures, to - last)]
}

/** The newest refused deliveries that are read. */
const maxRefused = 1000
/** The newest deliveries of an endpoint that tell its usual interval. */
const maxRecent = 20

/**
 * Finds endpoints of which every delivery is refused for longer than their usual interval, as `watchServices`. Endpoints without
 * a delivery in the inbox need ten refused ones.
 *
 * The alerts are `endpoint_fails/<endpoint>`.
 */
export function watchEndpoints(
  unprocessed: Pick<UnprocessedStore, 'list'>,
  inbox: Pick<OperatorInbox, 'list'>,
): AlertSource {
  async function findEndpoint(endpoint: string, refusedAt: readonly number[], now: number) {
    const recent = await inbox.list({ endpoint, limit: maxRecent })
    const times = recent.map(({ receivedAt }) => receivedAt)
    const last = Math.max(now - dayMs, ...times)
    const failures = refusedAt.filter((at) => at > last).length
    const isLate = now - last >= getWindow(last - Math.min(last, ...times), Math.max(0, times.length - 1))
    if (!isLate || failures < (times.length === 0 ? manyFailures : fewFailures)) return []
    return [createFinding(`endpoint_fails/${endpoint}`, `the endpoint ${endpoint}`, failures, now - last)]
  }

  return {
    name: 'endpoints',
    async find(now) {
      const query = { outcome: 'refused', receivedAfter: now - dayMs, limit: maxRefused } as const
      const refused = await unprocessed.list(query)
      const groups = Map.groupBy(refused, ({ endpoint }) => endpoint)
      const found: Finding[] = []
      for (const [endpoint, group] of groups)
        if (endpoint !== undefined && group.length >= fewFailures)
          found.push(
            ...(await findEndpoint(
              endpoint,
              group.map(({ receivedAt }) => receivedAt),
              now,
            )),
          )
      return found
    },
  }
}
