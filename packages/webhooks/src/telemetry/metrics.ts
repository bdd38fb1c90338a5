import type { Meter } from '@opentelemetry/api'
import { withDeadline } from '@sallyport/internal/deadline'
import type { InboxStats, OperatorInbox } from '@sallyport/webhooks'
import type { ConsumerState, ConsumerStore } from '@sallyport/webhooks/consumer'

/** Bucket boundaries in seconds for steps within a process or a network. */
const shortDurations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Bucket boundaries in seconds for work that can wait for the end of an outage, up to a day. */
const longDurations = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 28_800, 86_400]

export function createInstruments(meter: Meter) {
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(`sallyport.${name}`, { unit, description })
  const histogram = (name: string, description: string, explicitBucketBoundaries = shortDurations) =>
    meter.createHistogram(`sallyport.${name}`, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries },
    })

  return {
    deliveries: counter('deliveries', '{delivery}', 'Requests that the gateway answered'),
    ignored: counter('deliveries.ignored', '{delivery}', 'Verified deliveries of kinds without an event'),
    narrowed: counter('events.narrowed', '{event}', 'Events of verified deliveries that `only` removed'),
    verificationFailures: counter(
      'verification.failures',
      '{delivery}',
      'Deliveries that failed verification',
    ),
    unprocessedDropped: counter(
      'unprocessed.dropped',
      '{delivery}',
      'Ignored and refused deliveries that are not kept, because a limit is reached or the store is unavailable',
    ),
    countsDropped: counter(
      'counts.dropped',
      '{delivery}',
      'Requests that the statistics do not contain, because the store is unavailable',
    ),
    limiterBlocks: counter('limiter.blocks', '{delivery}', 'Requests from blocked addresses'),
    attempts: counter(
      'attempts',
      '{attempt}',
      'Finished attempts to publish an event or send a notification',
    ),
    filtered: counter('destinations.filtered', '{event}', 'Events that the filter of a destination rejected'),
    deadLetters: counter('dead_letters', '{event}', 'Events and notifications whose retries are used up'),
    deliveryDuration: histogram('delivery.duration', 'Time from the start of a request to its response'),
    recordDuration: histogram('record.duration', 'Time to record a delivery'),
    publishDuration: histogram('publish.duration', 'Time of one attempt to publish a batch'),
    handleDuration: histogram('handle.duration', 'Time of one run of a handler', longDurations),
    publishLag: histogram(
      'publish.lag',
      'Time from the receipt of an event to its publication',
      longDurations,
    ),
    notifyDuration: histogram('notify.duration', 'Time of one attempt to notify operators'),
  }
}

/** The limit keeps the number of time series small. */
const maxKindsPerProvider = 20

/** Creates a function that returns the first twenty kinds of each provider unchanged, and `other` for later ones. */
export function createKindLabels(): (provider: string, kind: string | undefined) => string {
  const kindsByProvider = new Map<string, Set<string>>()
  return (provider, kind) => {
    if (kind === undefined) return 'other'
    const kinds = kindsByProvider.get(provider) ?? new Set()
    kindsByProvider.set(provider, kinds)
    if (kinds.size < maxKindsPerProvider) kinds.add(kind)
    return kinds.has(kind) ? kind : 'other'
  }
}

/** An unavailable store must not delay the collection of other metrics. */
const statsTimeoutMs = 5000

/** Observes the statistics of an inbox at each collection. @returns a function that stops the observation */
export function observeInbox(
  meter: Meter,
  inbox: Pick<OperatorInbox, 'stats'>,
  now: () => number,
): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`sallyport.inbox.${name}`, { unit, description })
  // SDKs repeat the last value of a gauge that is not observed, so an outage needs a gauge.
  const up = gauge('up', '1', 'Whether the inbox returned its statistics: 1 or 0')
  const events = gauge('events', '{event}', 'Events by status; counted up to a limit')
  const notifications = gauge(
    'notifications',
    '{notification}',
    'Notifications by status; counted up to a limit',
  )
  const quarantined = gauge('quarantined', '{delivery}', 'Quarantined deliveries; counted up to a limit')
  const age = gauge('oldest_pending.age', 's', 'Age of the oldest delivery with a pending event')
  const lanes = gauge(
    'lanes',
    '{lane}',
    'Lanes by state: open ones have pending events, and some of them are stuck; counted up to a limit',
  )
  const laneAge = gauge('lanes.oldest_pending.age', 's', 'Age of the oldest first event of a lane that runs')
  const published = meter.createObservableCounter('sallyport.inbox.published', {
    unit: '{event}',
    description: 'Events published since the creation of the inbox, by any process',
  })

  let query: Promise<InboxStats> | undefined
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    query ??= withDeadline(statsTimeoutMs, inbox.stats()).finally(() => (query = undefined))
    const stats = await query.catch(() => undefined)
    result.observe(up, stats === undefined ? 0 : 1)
    if (stats === undefined) return
    for (const status of ['pending', 'queued', 'dead'] as const) {
      result.observe(events, stats.events[status], { status })
    }
    for (const status of ['pending', 'dead'] as const) {
      result.observe(notifications, stats.notifications[status], { status })
    }
    result.observe(quarantined, stats.quarantined)
    result.observe(age, Math.max(0, now() - (stats.oldestPendingAt ?? now())) / 1000)
    result.observe(published, stats.published)
    if (stats.lanes === undefined) return
    for (const state of ['open', 'stuck', 'paused'] as const)
      result.observe(lanes, stats.lanes[state], { state })
    result.observe(laneAge, Math.max(0, now() - (stats.lanes.oldestPendingAt ?? now())) / 1000)
  }
  const instruments = [up, events, notifications, quarantined, age, lanes, laneAge, published]
  meter.addBatchObservableCallback(observe, instruments)
  return () => {
    meter.removeBatchObservableCallback(observe, instruments)
  }
}

/** Observes the consumers of the bus in a database at each collection. @returns a function that stops the observation */
export function observeConsumers(
  meter: Meter,
  store: Pick<ConsumerStore, 'list'>,
  now: () => number,
): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`sallyport.bus.consumer.${name}`, { unit, description })
  const pending = gauge('pending', '{event}', 'Events that a consumer has not settled; counted up to a limit')
  const age = gauge('oldest_pending.age', 's', 'Age of the oldest event that a consumer has not settled')
  const failing = gauge(
    'failing',
    '{event}',
    'Events of a consumer that wait for a retry; counted up to a limit',
  )
  const dead = gauge('dead_letters', '{event}', 'Dead letters of a consumer; counted up to a limit')

  let query: Promise<readonly ConsumerState[]> | undefined
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    query ??= withDeadline(statsTimeoutMs, store.list()).finally(() => (query = undefined))
    for (const { name: consumer, ...state } of await query.catch(() => [])) {
      result.observe(pending, state.pending, { consumer })
      result.observe(age, Math.max(0, now() - (state.oldestPendingAt ?? now())) / 1000, { consumer })
      result.observe(failing, state.failing, { consumer })
      result.observe(dead, state.deadLetters, { consumer })
    }
  }
  const instruments = [pending, age, failing, dead]
  meter.addBatchObservableCallback(observe, instruments)
  return () => {
    meter.removeBatchObservableCallback(observe, instruments)
  }
}
