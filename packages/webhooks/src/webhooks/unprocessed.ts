import { deriveKeys } from '../endpoints/derive-keys.ts'
import { createSecretCipher } from '../endpoints/secret-cipher.ts'
import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import { createUnprocessedDiagnoser } from '../unprocessed/diagnoser.ts'
import {
  createUnprocessedKeeper,
  type UnprocessedKeeper,
  type UnprocessedKeeperOptions,
} from '../unprocessed/keeper.ts'
import { createUnprocessedReplayer } from '../unprocessed/replayer.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'
import type { SecretCipher } from '../endpoints/store.ts'
import type { Addresses } from './addresses.ts'
import type { Core } from './core.ts'
import type { WebhookOperations } from './operations.ts'
import type { AnyOptions } from './options.ts'

/** How long and how many ignored and refused deliveries are kept. */
export type KeepUnprocessed = Partial<
  Omit<UnprocessedKeeperOptions, 'store' | 'cipher' | 'searchPaths' | 'redactor' | 'onError' | 'now'>
>

/** The ignored and refused deliveries. */
export interface Unprocessed {
  /** Undefined if none is kept. Those of earlier are shown until the upkeep deletes them. */
  readonly keeper: UnprocessedKeeper | undefined
  readonly store: UnprocessedStore
  readonly cipher: SecretCipher
}

const dayMs = 86_400_000

/**
 * Opens the store of ignored and refused deliveries; undefined without the store, and without keys, which encrypt the
 * signatures.
 *
 * @throws TypeError for limits without the store or the keys that they need
 */
export function openUnprocessed(
  { unprocessed: limits, searchPaths }: AnyOptions,
  { database, ring, onError, telemetry }: Core,
  redactor: UnprocessedKeeperOptions['redactor'],
): Unprocessed | undefined {
  const canKeep = database.unprocessed !== undefined && ring.areShared
  if (limits && !canKeep)
    throw new TypeError('unprocessed needs encryptionKeys, and a database with a store of these deliveries')
  if (!canKeep) return undefined
  const store = database.unprocessed()
  const cipher = createSecretCipher(deriveKeys(ring.keys, 'unprocessed deliveries'))
  if (limits === false) return { keeper: undefined, store, cipher }
  const keeper = createUnprocessedKeeper({
    keepForMs: dayMs,
    ...(telemetry && { onDropped: telemetry.onUnprocessedDropped }),
    ...limits,
    ...{ store, cipher, searchPaths, redactor, onError: (error: unknown) => onError(error, 'unprocessed') },
  })
  return { keeper, store, cipher }
}

/** Returns the functions of operators over the kept deliveries. */
export function toUnprocessedOperations(
  unprocessed: Unprocessed | undefined,
  { providers }: Core,
  addresses: Addresses,
  gateway: RecordingGateway,
): Pick<WebhookOperations, 'unprocessed' | 'replayUnprocessed' | 'diagnoseUnprocessed'> {
  if (unprocessed === undefined) return {}
  const { store, cipher } = unprocessed
  return {
    unprocessed: store,
    replayUnprocessed: createUnprocessedReplayer({ store, gateway, cipher }),
    diagnoseUnprocessed: createUnprocessedDiagnoser({ store, cipher, providers, ...addresses }),
  }
}
