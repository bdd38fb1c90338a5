import { findTimes } from '../diagnose/variations.ts'
import type { AlertSource } from '../alerts/alerts.ts'
import { formatDuration } from '../alerts/message.ts'
import type { Observation, UnprocessedRequest } from '../gateway/gateway-contract.ts'
import { findEndpoint } from '../gateway/find-endpoint.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createDelivery, isValid, verify } from '../provider/verify.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'

/** Compares the clock of this machine with the signed times of several services. */
export interface ClockWatch {
  /** Reads the signed time of a delivery that expired. */
  readonly onUnprocessed: (request: UnprocessedRequest) => void
  /** Notes a delivery whose signed time agrees with the clock. */
  readonly observe: (observation: Observation) => void
  readonly source: AlertSource
  /** Says that the clock is wrong; undefined while it is not known to be. */
  readonly describe: () => string | undefined
}

interface ClockOptions {
  readonly providers: readonly AnyProvider[]
  readonly secrets: Pick<SecretKeeper, 'getSecrets'> | undefined
  readonly endpoints: EndpointSource | undefined
  /** Milliseconds of a monotonic clock. @default performance.now */
  readonly monotonicNow?: () => number
}

/** How much later than its signed time the last expired delivery of a service arrived. */
interface Difference {
  readonly ms: number
  /** When the service had the first difference, and the last one. */
  readonly since: number
  readonly at: number
}

/** One service alone may have a wrong clock. */
const leastServices = 2
/** Services whose differences are closer agree about the clock. */
const agreementMs = 60_000
const memoryMs = 15 * 60_000
/** A provider costs at most one further verification series in this time. */
const checkMs = 10_000

/** Creates the watch of the clock. It reads times of correctly signed deliveries only, so that nobody else can cause an alert. */
export function createClockWatch({
  providers,
  secrets,
  endpoints,
  monotonicNow = () => performance.now(),
}: ClockOptions): ClockWatch {
  const timed = new Map(
    providers.filter(({ signature }) => signature.hasTolerance).map((one) => [one.name, one]),
  )
  const differences = new Map<string, Difference>()
  const acceptedAt = new Map<string, number>()
  const checkedAt = new Map<string, number>()

  async function read(request: UnprocessedRequest): Promise<void> {
    const { provider, endpoint: id, method, headers, body, url, alternativeUrls, receivedAt } = request
    const endpoint = id === undefined ? undefined : await findEndpoint(endpoints, provider.name, id)
    const keys = endpoint ? endpoint.secrets : ((await secrets?.getSecrets(provider.name)) ?? [])
    const delivery = createDelivery({ method, headers, body, url, alternativeUrls }, endpoint)
    const start = new TextDecoder().decode(body.subarray(0, 8192))
    for (const time of findTimes([...Array.from(headers, ([, value]) => value), start]))
      if (isValid(await verify(provider, delivery, keys, time))) {
        const at = monotonicNow()
        const { since = at } = differences.get(provider.name) ?? {}
        differences.set(provider.name, { ms: receivedAt - time, since, at })
        return
      }
  }

  function describe(): string | undefined {
    const recent = [...differences].filter(([, { at }]) => monotonicNow() - at < memoryMs)
    const [middle] = recent
      .map(([, { ms }]) => ms)
      .sort((a, b) => a - b)
      .slice(recent.length >> 1)
    if (middle === undefined) return undefined
    const agreeing = recent.filter(([, { ms }]) => Math.abs(ms - middle) <= agreementMs)
    const since = Math.min(...agreeing.map(([, one]) => one.since))
    const others = [...acceptedAt.values()].filter((at) => at >= since).length
    if (agreeing.length < leastServices || agreeing.length <= others) return undefined
    const names = agreeing
      .map(([name]) => name)
      .sort()
      .join(', ')
    const side = middle > 0 ? 'ahead of' : 'behind'
    return `The clock of this machine is wrong: ${formatDuration(Math.abs(middle))} ${side} the signed times of ${names}. Their deliveries are refused as expired. Set the clock, for example by NTP.`
  }

  return {
    onUnprocessed(request) {
      const { provider, reason } = request
      if (reason !== 'expired' || !timed.has(provider.name)) return
      const at = monotonicNow()
      if (at - (checkedAt.get(provider.name) ?? -Infinity) < checkMs) return
      checkedAt.set(provider.name, at)
      // The delivery is refused in any case.
      read(request).catch(() => undefined)
    },
    observe({ provider, outcome }) {
      const isVerified = outcome === 'accepted' || outcome === 'ignored' || outcome === 'quarantined'
      if (!isVerified || !timed.has(provider)) return
      // The refused deliveries of the service were old. Another service may accept larger differences.
      differences.delete(provider)
      acceptedAt.set(provider, monotonicNow())
    },
    source: {
      name: 'clock',
      find() {
        const text = describe()
        const finding = { name: 'clock_wrong', severity: 'error' as const, title: 'This clock is wrong' }
        return Promise.resolve(text === undefined ? [] : [{ ...finding, text }])
      },
    },
    describe,
  }
}
