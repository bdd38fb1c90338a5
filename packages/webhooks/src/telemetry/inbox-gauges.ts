import type { Meter } from '@opentelemetry/api'
import type { OperatorInbox, InboxStats } from '@sallyport/webhooks'

/** A store that does not answer does not hold up whoever collects. */
const patienceMs = 5000

/** Asks an inbox for its counts whenever metrics are collected. Answers a function that ends it. */
export function watchInbox(meter: Meter, inbox: Pick<OperatorInbox, 'stats'>, now: () => number): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`sallyport.inbox.${name}`, { unit, description })
  // SDKs keep the last values of the others.
  const up = gauge('up', '1', 'Whether the inbox answered when it was asked for the other gauges: 1 or 0')
  const events = gauge('events', '{event}', 'Events by status; counted up to a limit')
  const notifications = gauge(
    'notifications',
    '{notification}',
    'Notifications by status; counted up to a limit',
  )
  const quarantined = gauge('quarantined', '{delivery}', 'Quarantined deliveries; counted up to a limit')
  const age = gauge('oldest_pending.age', 's', 'Since the oldest delivery with a pending event was received')
  const published = meter.createObservableCounter('sallyport.inbox.published', {
    unit: '{event}',
    description: 'Events that were ever published, by any process',
  })
  const instruments = [up, events, notifications, quarantined, age, published]

  let asking: Promise<InboxStats | undefined> | undefined
  const ask = () =>
    (asking ??= within(patienceMs, inbox.stats()).finally(() => {
      asking = undefined
    }))

  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    const stats = await ask().catch(() => undefined)
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
  }
  meter.addBatchObservableCallback(observe, instruments)
  return () => {
    meter.removeBatchObservableCallback(observe, instruments)
  }
}

/** Undefined when the time is up. */
async function within<T>(milliseconds: number, value: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([value, expired])
  } finally {
    clearTimeout(timer)
  }
}
