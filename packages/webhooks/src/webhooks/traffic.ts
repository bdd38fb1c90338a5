import type { Telemetry } from '../telemetry/telemetry.ts'
import { createTrafficRecorder, type TrafficRecorder } from '../traffic/recorder.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { WebhookDatabase } from './database.ts'
import type { ReportError } from './report.ts'

/** Opens the counts of requests; undefined without their store. */
export function openTraffic(
  database: Pick<WebhookDatabase, 'traffic'>,
  telemetry: Telemetry | undefined,
  onError: ReportError,
): { readonly store: TrafficStore; readonly recorder: TrafficRecorder } | undefined {
  const store = database.traffic?.()
  if (store === undefined) return undefined
  const recorder = createTrafficRecorder({
    store,
    onError: (error) => onError(error, 'traffic'),
    ...(telemetry && { onDropped: telemetry.onCountsDropped }),
  })
  return { store, recorder }
}
