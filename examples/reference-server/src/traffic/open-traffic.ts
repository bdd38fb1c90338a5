import { createTrafficRecorder, type TrafficRecorder, type TrafficStore } from '@sallyport/webhooks/traffic'
import type { Storage } from '../database/storage.ts'
import { logOutage, type Logger } from '../logging/log.ts'
import type { ServerTelemetry } from '../telemetry/telemetry.ts'

/** Longer than the longest window of the statistics. */
const retentionMs = 8 * 24 * 60 * 60 * 1000

/** The counts of requests of all processes. */
export interface Traffic {
  readonly store: Pick<TrafficStore, 'sum'>
  /** Counts the requests of this process. */
  readonly recorder: TrafficRecorder
  /** Deletes counts that no statistics show any more. */
  readonly prune: () => Promise<number>
}

export function openTraffic(
  storage: Pick<Storage, 'stores'>,
  telemetry: Pick<ServerTelemetry, 'onCountsDropped'>,
  log: Pick<Logger, 'debug' | 'error'>,
): Traffic {
  const store = storage.stores.traffic()
  return {
    store,
    recorder: createTrafficRecorder({
      store,
      onError: logOutage(log, 'The counts of requests cannot be stored'),
      onDropped: telemetry.onCountsDropped,
    }),
    prune: () => store.prune(Date.now() - retentionMs),
  }
}
