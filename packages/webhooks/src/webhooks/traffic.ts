import { createTrafficRecorder, type TrafficRecorder } from '../traffic/recorder.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { Core } from './core.ts'

/** Opens the counts of requests; undefined without their store. */
export function openTraffic({
  database,
  telemetry,
  onError,
}: Core): { readonly store: TrafficStore; readonly recorder: TrafficRecorder } | undefined {
  const store = database.traffic?.()
  if (store === undefined) return undefined
  const recorder = createTrafficRecorder({
    store,
    onError: (error) => onError(error, 'traffic'),
    ...(telemetry && { onDropped: telemetry.onCountsDropped }),
  })
  return { store, recorder }
}
