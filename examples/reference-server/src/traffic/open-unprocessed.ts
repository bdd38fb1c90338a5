import type { RecordingGateway } from '@sallyport/webhooks'
import { createSecretCipher } from '@sallyport/webhooks/endpoints'
import {
  createUnprocessedDiagnoser,
  createUnprocessedKeeper,
  createUnprocessedReplayer,
  type UnprocessedDiagnoser,
  type UnprocessedDiagnoserOptions,
  type UnprocessedKeeper,
  type UnprocessedReplayer,
  type UnprocessedStore,
} from '@sallyport/webhooks/unprocessed'
import type { Config } from '../config/config.ts'
import { deriveKeys } from '../config/derived-keys.ts'
import type { Storage } from '../database/storage.ts'
import { logOutage, type Logger } from '../logging/log.ts'
import type { ServerTelemetry } from '../telemetry/telemetry.ts'

const hour = 60 * 60 * 1000

/** The ignored and refused deliveries of all processes. */
export interface Unprocessed {
  readonly store: Pick<UnprocessedStore, 'list' | 'count' | 'get' | 'erase'>
  /** Keeps the deliveries of this process; undefined with KEEP_UNPROCESSED_HOURS=0. */
  readonly keeper: UnprocessedKeeper | undefined
  readonly createReplayer: (gateway: Pick<RecordingGateway, 'reprocess'>) => UnprocessedReplayer
  readonly createDiagnoser: (
    options: Pick<UnprocessedDiagnoserOptions, 'providers' | 'secrets' | 'endpoints'>,
  ) => UnprocessedDiagnoser
  /** Deletes expired deliveries, also after the setting was lowered. */
  readonly prune: () => Promise<number>
}

export function openUnprocessed({
  config,
  storage,
  telemetry,
  log,
}: {
  readonly config: Pick<Config, 'settings' | 'jwtSecrets'>
  readonly storage: Pick<Storage, 'stores'>
  readonly telemetry: Pick<ServerTelemetry, 'onUnprocessedDropped'>
  readonly log: Pick<Logger, 'debug' | 'error'>
}): Unprocessed {
  const { KEEP_UNPROCESSED_HOURS: hours, KEEP_UNPROCESSED_BYTES: bytes } = config.settings
  const { KEEP_UNPROCESSED_BODY_BYTES: bodyBytes } = config.settings
  const store = storage.stores.unprocessed()
  // Every process has these secrets, also without ENCRYPTION_KEYS.
  const cipher = createSecretCipher(deriveKeys(config.jwtSecrets, 'unprocessed deliveries'))
  // Ignored and refused deliveries each have a half.
  const limits = { bytes: Math.ceil(bytes / 2), deliveries: 10_000 }
  return {
    store,
    keeper:
      hours === 0
        ? undefined
        : createUnprocessedKeeper({
            ...{ store, cipher, bodyBytes, ...limits },
            keepForMs: hours * hour,
            onDropped: telemetry.onUnprocessedDropped,
            onError: logOutage(log, 'Ignored and refused deliveries cannot be kept'),
          }),
    createReplayer: (gateway) => createUnprocessedReplayer({ store, gateway, cipher }),
    createDiagnoser: (options) => createUnprocessedDiagnoser({ ...options, store, cipher }),
    prune: () => store.prune({ before: Date.now() - hours * hour, ...limits }),
  }
}
