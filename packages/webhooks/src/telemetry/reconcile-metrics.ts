import type { Meter } from '@opentelemetry/api'
import { withDeadline } from '@sallyport/internal/deadline'
import type { ReconcileOperations } from '../reconcile/reconciler.ts'

/** An unavailable store must not delay the collection of other metrics. */
const timeoutMs = 5000

/** Observes the sources of missed deliveries. @returns a function that stops the observation */
export function observeReconciliations(
  meter: Meter,
  reconciler: Pick<ReconcileOperations, 'list'>,
): () => void {
  const recovered = meter.createObservableCounter('sallyport.reconcile.recovered', {
    unit: '{delivery}',
    description: 'Missed deliveries and events of a source that were recovered',
  })
  const abandoned = meter.createObservableCounter('sallyport.reconcile.abandoned', {
    unit: '{delivery}',
    description: 'Redeliveries of a source that failed too often',
  })
  const asked = meter.createObservableGauge('sallyport.reconcile.asked', {
    unit: '{delivery}',
    description: 'Redeliveries that a service was asked for, and that did not arrive yet',
  })
  const failing = meter.createObservableGauge('sallyport.reconcile.failing', {
    description: 'Whether the last run of a source failed',
  })
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    for (const { name: source, state } of await withDeadline(timeoutMs, reconciler.list()).catch(() => [])) {
      result.observe(recovered, state.recovered, { source })
      result.observe(abandoned, state.abandoned, { source })
      result.observe(asked, state.asked.length, { source })
      result.observe(failing, Number(state.error !== undefined), { source })
    }
  }
  const instruments = [recovered, abandoned, asked, failing]
  meter.addBatchObservableCallback(observe, instruments)
  return () => {
    meter.removeBatchObservableCallback(observe, instruments)
  }
}
