import type { components } from '../api/schema.ts'

type Schemas = components['schemas']
type Count = Pick<
  Schemas['DeliveryStatistics']['groups'][number],
  'provider' | 'deliveries' | 'first_received_at' | 'last_received_at' | 'latency_ms'
>

/** What an operator looks for first: is the service alive, and do its deliveries arrive? */
export interface ServiceRow {
  readonly provider: string
  /** When the newest delivery was received; undefined without a delivery of the newest events. */
  readonly lastReceivedAt: string | undefined
  /** All requests in the window. */
  readonly requests: number
  /** The share of requests that were not refused and not quarantined; undefined without requests. */
  readonly success: number | undefined
  /** The median time from the receipt to the publication, in milliseconds. */
  readonly latencyMs: number | undefined
  /** Whether the service is silent for much longer than usual. */
  readonly isSilent: boolean
}

const leastSilenceMs = 10 * 60_000
/** A service is silent when this many of its deliveries would have arrived. */
const intervals = 10

/** Joins the registered providers with their requests and deliveries, the busiest first. */
export function listServices(options: {
  readonly registered: readonly string[]
  readonly series: Schemas['Statistics']['series']
  readonly counts: readonly Count[]
  readonly now: number
}): readonly ServiceRow[] {
  const { registered, series, counts, now } = options
  const names = new Set([
    ...registered,
    ...series.map(({ provider }) => provider),
    ...counts.map(({ provider }) => provider),
  ])
  // Requests to addresses that name no provider.
  names.delete('unknown')
  return [...names]
    .map((provider) => {
      const own = series.filter((one) => one.provider === provider)
      const count = counts.find((one) => one.provider === provider)
      return toRow(provider, own, count, now)
    })
    .sort((one, other) => other.requests - one.requests || (one.provider < other.provider ? -1 : 1))
}

function toRow(
  provider: string,
  series: Schemas['Statistics']['series'],
  count: Count | undefined,
  now: number,
): ServiceRow {
  const requests = sum(series)
  const failed = sum(series.filter(({ outcome }) => outcome === 'refused' || outcome === 'quarantined'))
  return {
    ...{ provider, requests },
    lastReceivedAt: count?.last_received_at,
    success: requests === 0 ? undefined : (requests - failed) / requests,
    latencyMs: count?.latency_ms ?? undefined,
    isSilent: count !== undefined && isSilent(count, now),
  }
}

const sum = (series: Schemas['Statistics']['series']): number =>
  series.reduce((total, { counts }) => total + counts.reduce((one, other) => one + other, 0), 0)

function isSilent({ deliveries, first_received_at, last_received_at }: Count, now: number): boolean {
  if (deliveries < 2) return false
  const last = Date.parse(last_received_at)
  const usual = (last - Date.parse(first_received_at)) / (deliveries - 1)
  return now - last > Math.max(leastSilenceMs, intervals * usual)
}

/** Formats a number of requests as a rate. */
export function formatRate(requests: number, windowSeconds: number): string {
  const perMinute = (requests * 60) / windowSeconds
  const [rate, unit] = perMinute >= 1 ? [perMinute, 'min'] : [perMinute * 60, 'h']
  return `${rate >= 10 || Number.isInteger(rate) ? Math.round(rate).toLocaleString('en') : rate.toFixed(1)}/${unit}`
}

/** Formats a share so that `100%` means all. */
export const formatShare = (share: number): string =>
  share === 1 ? '100%' : `${(Math.floor(share * 1000) / 10).toFixed(1)}%`
