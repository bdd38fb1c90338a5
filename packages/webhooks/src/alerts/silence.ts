import type { OperatorInbox } from '../ports/ports.ts'
import { minuteMs, type TrafficStore } from '../traffic/store.ts'
import type { AlertSource } from './alerts.ts'
import { createArrivalHistory, slotMs, weekMs, type Arrivals } from './arrivals.ts'
import { findNames, type NamedEndpoints } from './endpoint-names.ts'
import type { Finding } from './evaluate.ts'
import { formatDuration } from './message.ts'
import { truncate } from './truncate.ts'

export interface SilenceOptions {
  /** How long providers may send nothing, in milliseconds, at most 14 days. @default the usual time of each provider */
  readonly providers?: Readonly<Record<string, number>>
  /** How long endpoints may receive nothing, in milliseconds. @default no alert about an endpoint */
  readonly endpoints?: Readonly<Record<string, number>>
  /** Whether providers without a time of their own are compared with their last two weeks. @default true */
  readonly learns?: boolean
  /** When a service sends again and what it disables, as `retries` of its facts. @default not in the text */
  readonly describeRetries?: (provider: string) => Promise<string | undefined>
}

const hourMs = 60 * minuteMs

/** The gaps from which the usual one is calculated. */
const leastGaps = 100
/** The deliveries that arrived at the same time of each of the last two weeks: of six at random times, all stay away in 0.3%. */
const leastExpected = 6

/**
 * Returns the longest usual time without a delivery: twice the 99th percentile of the gaps of two weeks, at least an hour;
 * undefined with less data.
 */
function findUsualMs({ slots }: Pick<Arrivals, 'slots'>, now: number): number | undefined {
  const starts = [...slots.keys()].toSorted((one, other) => one - other)
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start))
  if (gaps.length < leastGaps || (starts[0] ?? now) > now - 2 * weekMs) return undefined
  const percentile = gaps.toSorted((one, other) => one - other)[Math.ceil(gaps.length * 0.99) - 1] ?? 0
  return Math.max(hourMs, 2 * percentile)
}

/** Reports whether deliveries arrived in the same hours of the last two weeks: nights and weekends are no silence. */
function isExpected({ slots, last }: Arrivals, now: number): boolean {
  return [weekMs, 2 * weekMs].every((shift) => {
    let count = 0
    for (const [slot, deliveries] of slots)
      if (slot + slotMs > last - shift && slot < now - shift) count += deliveries
    return count >= leastExpected
  })
}

/**
 * Finds providers that send nothing for longer than configured or usual, and endpoints that receive nothing for longer than
 * configured. Refused deliveries do not count.
 *
 * The alerts are `silent/<provider>` and `endpoint_silent/<endpoint>`.
 */
export function watchSilence(
  {
    traffic,
    inbox,
    names,
    providers,
  }: {
    readonly traffic: Pick<TrafficStore, 'sum'>
    readonly inbox: Pick<OperatorInbox, 'list'> | undefined
    readonly names: NamedEndpoints | undefined
    /** The registered providers: of others, silence is expected. */
    readonly providers: readonly string[]
  },
  { providers: limits = {}, endpoints = {}, learns = true, describeRetries }: SilenceOptions = {},
): AlertSource {
  const history = createArrivalHistory(traffic)
  let startedAt: number | undefined
  let checkedAt = -Infinity
  let findings: readonly Finding[] = []

  async function createFinding(name: string, what: string, text: string, provider?: string) {
    const rule = provider === undefined ? undefined : await describeRetries?.(provider)
    const check = 'Check at the service that the webhook exists and is enabled.'
    const again = rule === undefined ? '' : ` Its rule for failed deliveries: ${truncate(rule, 200)}.`
    return {
      ...{ name, severity: 'warning', title: `Nothing arrives from ${what}` },
      text: `${text} ${check}${again}`,
    } satisfies Finding
  }

  function findSilence(provider: string, now: number, since: number): string | undefined {
    const arrivals = history.get(provider)
    const limit = Object.hasOwn(limits, provider) ? limits[provider] : undefined
    const silentMs = now - (arrivals?.last ?? since)
    if (limit !== undefined) return silentMs > limit ? describe(silentMs, 'the limit', limit) : undefined
    const usualMs = learns && arrivals ? findUsualMs(arrivals, now) : undefined
    if (arrivals === undefined || usualMs === undefined || silentMs <= usualMs) return undefined
    return isExpected(arrivals, now) ? describe(silentMs, 'the longest usual time', usualMs) : undefined
  }

  async function findEndpoints(now: number, since: number): Promise<readonly Finding[]> {
    if (inbox === undefined) return []
    const found: Finding[] = []
    const toName = await findNames(names, Object.keys(endpoints))
    for (const [endpoint, limit] of Object.entries(endpoints)) {
      const [newest] = await inbox.list({ endpoint, limit: 1 })
      const silentMs = now - (newest?.receivedAt ?? since)
      if (silentMs <= limit) continue
      const text = describe(silentMs, 'the limit', limit)
      const what = `the endpoint ${toName(endpoint)}`
      found.push(await createFinding(`endpoint_silent/${endpoint}`, what, text, newest?.provider))
    }
    return found
  }

  return {
    name: 'silence',
    async find(now, signal) {
      if (now - checkedAt < minuteMs && now >= checkedAt) return findings
      startedAt ??= now
      await history.read(now, signal)
      // With a part of the history, every provider would look silent.
      signal.throwIfAborted()
      const found: Finding[] = []
      for (const provider of providers) {
        const text = findSilence(provider, now, startedAt)
        if (text !== undefined)
          found.push(await createFinding(`silent/${provider}`, provider, text, provider))
      }
      findings = [...found, ...(await findEndpoints(now, startedAt))]
      checkedAt = now
      return findings
    },
  }
}

const describe = (silentMs: number, limit: string, limitMs: number): string =>
  `No delivery has arrived for ${formatDuration(silentMs)}; ${limit} is ${formatDuration(limitMs)}.`
