import type { Meter } from '@opentelemetry/api'
import { withDeadline } from '@sallyport/internal/deadline'
import type { Subscriptions } from '@sallyport/webhooks/subscriptions'

/** An unavailable store must not delay the collection of other metrics. */
const timeoutMs = 5000

/** Observes the webhooks that are registered at services. @returns a function that stops the observation */
export function observeSubscriptions(meter: Meter, subscriptions: Pick<Subscriptions, 'count'>): () => void {
  const gauge = meter.createObservableGauge('sallyport.subscriptions', {
    unit: '{subscription}',
    description: 'Webhooks registered at services by state; a failing one had an error at its last visit',
  })
  const observe: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    const counts = Promise.all([subscriptions.count(), subscriptions.count({ minFailures: 1 })])
    const found = await withDeadline(timeoutMs, counts).catch(() => undefined)
    if (found === undefined) return
    const [all, failing] = found
    result.observe(all - failing, { state: 'kept' })
    result.observe(failing, { state: 'failing' })
  }
  gauge.addCallback(observe)
  return () => {
    gauge.removeCallback(observe)
  }
}
