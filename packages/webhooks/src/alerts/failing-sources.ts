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

const createFinding = (name: string, what: string, text: string): Finding => ({
  ...{ name, severity: 'error', title: `Every delivery of ${what} fails`, text },
})

const compareSecret =
  'Compare the secret with the one of the service, then verify the refused deliveries again.'

/** Codes of requests other than deliveries, and of outages with separate alerts. */
const otherCodes: ReadonlySet<string> = new Set([
  'BODY_UNAVAILABLE',
  'GONE',
  'INBOX_UNAVAILABLE',
  'METHOD_NOT_ALLOWED',
  'OVERLOADED',
  'UNKNOWN_ENDPOINT',
])

/**
 * Finds providers of which every delivery fails for longer than their usual interval: the time in which three deliveries
 * arrive, at least ten minutes and at most a day.
 *
 * The alerts are `service_fails/<provider>`.
 */
export function watchServices(traffic: Pick<TrafficStore, 'sum'>): AlertSource {
  let checkedAt = -Infinity
  let findings: readonly Finding[] = []

  /** Finds the reasons since the last success. */
  async function confirm({ provider, last, least }: Suspect, to: number): Promise<readonly Finding[]> {
    const { reasons } = await traffic.sum({ from: last, to, intervalMs: to - last })
    const failures = reasons.filter(
      (one) => one.provider === provider && isFailure(one) && !otherCodes.has(one.reason),
    )
    const [most] = failures
    const count = sum(failures)
    if (most === undefined || count < least) return []
    const text = `${count.toLocaleString('en-US')} deliveries failed, most of them with ${most.reason}, and none was accepted for ${formatDuration(to - last)}.`
    const isUnverified = most.reason === 'INVALID_SIGNATURE' || most.reason === 'RATE_LIMITED'
    return [
      createFinding(`service_fails/${provider}`, provider, isUnverified ? `${text} ${compareSecret}` : text),
    ]
  }

  return {
    name: 'services',
    async find(now) {
      // A sum of a day takes longer than the other sources.
      if (now - checkedAt < minuteMs && now >= checkedAt) return findings
      const to = (Math.floor(now / minuteMs) + 1) * minuteMs
      const { series } = await traffic.sum({ from: to - dayMs, to, intervalMs: minuteMs })
      const suspects = [...Map.groupBy(series, ({ provider }) => provider)].flatMap(([provider, counts]) =>
        provider === 'unknown' ? [] : findSuspect(provider, counts, to),
      )
      findings = (await Promise.all(suspects.map((one) => confirm(one, to)))).flat()
      checkedAt = now
      return findings
    },
  }
}

type Series = Awaited<ReturnType<TrafficStore['sum']>>['series']

const isFailure = ({ outcome }: Pick<Series[number], 'outcome'>) =>
  outcome === 'refused' || outcome === 'quarantined'

const sum = (counts: readonly Pick<Series[number], 'count'>[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

/** A provider that is late, with the time of its last success and the failures that it needs. */
interface Suspect {
  readonly provider: string
  readonly last: number
  readonly least: number
}

function findSuspect(provider: string, counts: Series, to: number): readonly Suspect[] {
  const good = counts.filter((one) => !isFailure(one))
  const successes = sum(good)
  const last = Math.max(to - dayMs, ...good.map(({ at }) => at + minuteMs))
  const least = successes === 0 ? manyFailures : fewFailures
  const failures = sum(counts.filter((one) => isFailure(one) && one.at >= last))
  const isLate = to - last >= getWindow(dayMs, successes)
  return isLate && failures >= least ? [{ provider, last, least }] : []
}

/** The newest refused deliveries that are read. */
const maxRefused = 1000
/** The newest deliveries of an endpoint, which show its usual interval. */
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
    const text = `${failures.toLocaleString('en-US')} deliveries were refused, and none was accepted for ${formatDuration(now - last)}. ${compareSecret}`
    return [createFinding(`endpoint_fails/${endpoint}`, `the endpoint ${endpoint}`, text)]
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
