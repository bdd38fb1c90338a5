import { createTicker } from '@sallyport/internal/background'
import { checkFunctions, integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Observation } from '@sallyport/webhooks'
import { minuteMs, type TrafficCount, type TrafficOutcome, type TrafficStore } from './store.ts'

export interface TrafficRecorderOptions {
  readonly store: Pick<TrafficStore, 'add'>
  /** The interval of writes in milliseconds. A process that is killed loses at most the counts of one interval. @default 5,000 */
  readonly flushMs?: number
  /** The maximum number of counts in memory while the store is unavailable. Requests beyond it are not counted. @default 10,000 */
  readonly maxCounts?: number
  /** Called when the store is unavailable. The counts stay in memory until the next write. */
  readonly onError?: (error: unknown) => unknown
  /** Called with the number of requests that are not counted, because the memory is full. */
  readonly onDropped?: (requests: number) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Counts the requests of a gateway. */
export interface TrafficRecorder {
  /** Counts a request: the gateway's `observe`. Costs no write. */
  readonly observe: (
    observation: Pick<Observation, 'provider' | 'outcome' | 'code' | 'reason' | 'kind'>,
  ) => void
  /** Writes the counts at once. Never rejects. */
  readonly flush: () => Promise<void>
  /** Starts the periodic writes. */
  readonly start: () => void
  /** Ends the periodic writes, and writes the last counts. */
  readonly stop: () => Promise<void>
}

/** Reasons per provider and minute; further ones count as `other`. */
const maxReasons = 20

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The counts of one provider in one minute, by outcome and reason. */
class ProviderMinute {
  readonly counts = new Map<TrafficOutcome, Map<string, number>>()
  readonly reasons = new Set<string>()
}

/**
 * Creates a recorder that counts the requests of a gateway per minute, provider, outcome and reason, and writes the counts
 * every few seconds in one statement.
 *
 * The reason is the kind of an ignored delivery, and the code of a refused or quarantined one. A provider has at most 20
 * reasons a minute; further ones count as `other`. Handshakes are not counted.
 *
 * @throws TypeError for an incomplete store and a number out of range
 */
export function createTrafficRecorder(options: TrafficRecorderOptions): TrafficRecorder {
  const { store, flushMs = 5000, maxCounts = 10_000, onError, onDropped, now = Date.now } = options
  checkFunctions('store', store, 'add')
  timerOption('flushMs', flushMs)
  integerOption('maxCounts', maxCounts, 1)
  let minutes = new Map<number, Map<string, ProviderMinute>>()
  let size = 0
  let flushing = Promise.resolve()

  function add({ minute, provider, outcome, reason, count }: TrafficCount): void {
    let providers = minutes.get(minute)
    if (providers === undefined) minutes.set(minute, (providers = new Map<string, ProviderMinute>()))
    let found = providers.get(provider)
    if (found === undefined) providers.set(provider, (found = new ProviderMinute()))
    const { counts, reasons } = found
    if (reason !== '' && !reasons.has(reason)) {
      if (reasons.size < maxReasons) reasons.add(reason)
      else reason = 'other'
    }
    let byReason = counts.get(outcome)
    if (byReason === undefined) counts.set(outcome, (byReason = new Map<string, number>()))
    const before = byReason.get(reason)
    if (before === undefined) {
      if (size >= maxCounts) {
        callHook(onDropped, count)
        return
      }
      size++
    }
    byReason.set(reason, (before ?? 0) + count)
  }

  async function write(): Promise<void> {
    if (size === 0) return
    const counts = listCounts(minutes)
    minutes = new Map()
    size = 0
    try {
      await store.add(counts)
    } catch (error) {
      // The requests that arrived during the write keep their counts if the memory is full.
      for (const count of counts) add(count)
      callHook(onError, error)
    }
  }

  // Writes run one after another, so that the counts of a failed one are part of the next.
  const flush = () => (flushing = flushing.then(write))
  const ticker = createTicker(flushMs, flush)

  return {
    observe({ provider, outcome, ...observation }) {
      if (outcome === 'handshake') return
      const at = now()
      const minute = at - (at % minuteMs)
      add({ minute, provider, outcome, reason: getReason(outcome, observation), count: 1 })
    },
    flush,
    start: ticker.start,
    stop() {
      ticker.stop()
      return flush()
    },
  }
}

function getReason(
  outcome: TrafficOutcome,
  { kind, code, reason }: Pick<Observation, 'kind' | 'code' | 'reason'>,
): string {
  if (outcome === 'ignored') return kind ?? 'other'
  if (outcome === 'refused') return code ?? 'other'
  return outcome === 'quarantined' ? (reason ?? 'other') : ''
}

function listCounts(
  minutes: ReadonlyMap<number, ReadonlyMap<string, ProviderMinute>>,
): readonly TrafficCount[] {
  const list: Mutable<TrafficCount>[] = []
  for (const [minute, providers] of minutes) {
    for (const [provider, { counts }] of providers) {
      for (const [outcome, byReason] of counts) {
        for (const [reason, count] of byReason) list.push({ minute, provider, outcome, reason, count })
      }
    }
  }
  return list
}
