import { createTicker } from '@sallyport/internal/background'
import { checkFunctions, checkIntegers, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Redactor } from '../gateway/accept.ts'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import type { SecretCipher } from '@sallyport/webhooks/endpoints'
import { encodeBytes } from '../crypto/encoding.ts'
import { createValueReader, type SearchPaths } from '../gateway/search-values.ts'
import { redactHeaders } from '../schemes/redact.ts'
import { getClientNetwork } from '@sallyport/internal/client-address'
import { createFairQueue } from './fair-queue.ts'
import { sealProof, selectProof, type Proof } from './proof.ts'
import type { UnprocessedRecord, UnprocessedStore } from './store.ts'

/**
 * Why a delivery is not kept: `queue` for too many bytes in a second, `store` for a store that is unavailable.
 */
type DropCause = 'queue' | 'store'

export interface UnprocessedKeeperOptions {
  readonly store: Pick<UnprocessedStore, 'add' | 'prune'>
  /** Encrypts the signatures of refused deliveries: `createSecretCipher` of `@sallyport/webhooks/endpoints`. */
  readonly cipher: SecretCipher
  /** How long deliveries are kept, in milliseconds. */
  readonly keepForMs: number
  /** The maximum size in bytes of the ignored deliveries, and of the refused ones. @default 50 MiB each */
  readonly bytes?: number
  /** The maximum number of ignored deliveries, and of refused ones. @default 100,000 each */
  readonly deliveries?: number
  /** The maximum length of a stored body in bytes. A longer body is cut, and its delivery cannot be replayed. @default 256 KiB */
  readonly bodyBytes?: number
  /** The interval of writes in milliseconds. @default 1,000 */
  readonly flushMs?: number
  /** The maximum number of deliveries that wait for a write. @default 1,000 */
  readonly pending?: number
  /** The maximum size of the deliveries that wait for a write, in bytes. @default 4 MiB */
  readonly pendingBytes?: number
  /** Further values that find a delivery, by the name of its provider. @default {} */
  readonly searchPaths?: SearchPaths | undefined
  /** Removes values from refused deliveries: the redactor of the gateway. @default none */
  readonly redactor?: Pick<Redactor, 'redactUnverified'> | undefined
  /** Called with a delivery that is not kept. */
  readonly onDropped?: (outcome: UnprocessedRequest['outcome'], cause: DropCause) => unknown
  /** Called when the store is unavailable. */
  readonly onError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Keeps ignored and refused deliveries. */
export interface UnprocessedKeeper {
  /** Keeps a delivery: the gateway's `onUnprocessed`. Waits for nothing. */
  readonly keep: (request: UnprocessedRequest) => void
  /** Writes the waiting deliveries at once. Never rejects. */
  readonly flush: () => Promise<void>
  /** Starts the periodic writes. */
  readonly start: () => void
  /** Ends the periodic writes, and writes the waiting deliveries. */
  readonly stop: () => Promise<void>
}

/** The size of the other columns of a record with its entries in indexes, and of each of its values. */
const rowBytes = 600
const valueBytes = 16

/** Expired deliveries are deleted this often. */
const pruneMs = 60_000

/**
 * Creates a keeper, which stores ignored and refused deliveries for a limited time, so that operators can inspect and replay
 * them.
 *
 * The keeper writes in batches and never delays an answer. Anybody can cause refused deliveries, so that they have limits of
 * their own: where one is used up, in the queue of a write or in the store, the provider or endpoint with the most bytes or
 * deliveries loses first, and there the client network with the most. Several processes may share a store; each one can exceed the limits by a twentieth until it deletes the oldest
 * deliveries.
 *
 * @throws TypeError for an incomplete store and a number out of range
 */
export function createUnprocessedKeeper(options: UnprocessedKeeperOptions): UnprocessedKeeper {
  const { store, cipher, keepForMs, redactor, onDropped, onError, now = Date.now } = options
  const { bytes = 50 * 1024 ** 2, deliveries = 100_000, bodyBytes = 256 * 1024 } = options
  const {
    flushMs = 1000,
    pending: maxPending = 1000,
    pendingBytes: maxPendingBytes = 4 * 1024 ** 2,
  } = options
  checkFunctions('store', store, 'add', 'prune')
  checkFunctions('cipher', cipher, 'encrypt')
  checkIntegers(
    { keepForMs, bytes, deliveries, bodyBytes, pending: maxPending, pendingBytes: maxPendingBytes },
    1,
  )
  timerOption('flushMs', flushMs)
  const { readUnverified } = createValueReader(options.searchPaths)
  const queue = createFairQueue<Pending>({ items: maxPending, bytes: maxPendingBytes })
  let addedBytes = 0
  let prunedAt = -Infinity
  let flushing = Promise.resolve()

  async function seal({ record, proof, provider, requestId }: Pending): Promise<UnprocessedRecord> {
    const { id, headers, body, bodyBytes } = record
    // A part of a body is no JSON.
    const whole = body.length < bodyBytes ? new Uint8Array() : body
    const values = readUnverified({ id, provider, requestId, headers, body: whole })
    const sealed = proof && (await sealProof(cipher, id, proof))
    const storedBytes = record.storedBytes + (sealed?.length ?? 0) + values.length * valueBytes
    return { ...record, values, storedBytes, ...(sealed !== undefined && { proof: sealed }) }
  }

  async function write(): Promise<void> {
    const waiting = queue.take()
    try {
      const records = await Promise.all(waiting.map(seal))
      if (records.length > 0) await store.add(records)
      addedBytes += records.reduce((sum, { storedBytes }) => sum + storedBytes, 0)
    } catch (error) {
      for (const { record } of waiting) callHook(onDropped, record.outcome, 'store')
      callHook(onError, error)
    }
    await prune()
  }

  async function prune(): Promise<void> {
    const at = now()
    if (at - prunedAt < pruneMs && addedBytes < bytes / 20) return
    prunedAt = at
    addedBytes = 0
    try {
      await store.prune({ before: at - keepForMs, deliveries, bytes })
    } catch (error) {
      callHook(onError, error)
    }
  }

  const flush = () => (flushing = flushing.then(write))
  const ticker = createTicker(flushMs, flush)

  return {
    keep(request) {
      const isRefused = request.outcome === 'refused'
      const kept = (isRefused && redactor?.redactUnverified(request)) || request
      const added = toPending(kept, bodyBytes)
      const { record, proof } = added
      // Ignored deliveries are verified. A flood of refused ones does not push them out of the queue.
      const target = JSON.stringify([record.outcome, record.provider, record.endpoint])
      const sender = { target, client: record.client ?? '' }
      const bytes = record.storedBytes + (proof ? JSON.stringify(proof).length : 0)
      for (const lost of queue.add(added, sender, bytes)) callHook(onDropped, lost.record.outcome, 'queue')
    },
    flush,
    start: ticker.start,
    stop() {
      ticker.stop()
      return flush()
    },
  }
}

/** A delivery that waits for the encryption of its proof and for a write. */
interface Pending extends Pick<UnprocessedRequest, 'provider' | 'requestId'> {
  readonly record: UnprocessedRecord
  /** Set for a refused delivery. */
  readonly proof?: Proof
}

function toPending(request: UnprocessedRequest, bodyBytes: number): Pending {
  const { id, outcome, provider, endpoint, kind, reason, status, receivedAt } = request
  const headers = redactHeaders(request.headers, provider)
  const isRefused = outcome === 'refused'
  const shown = (isRefused && provider.signature.redactBody?.(request.body)) || request.body
  // A copy, because a part would keep the memory of the whole body.
  const body = new Uint8Array(shown.subarray(0, bodyBytes))
  // Without the received body, the delivery cannot be verified again, as if the body was cut.
  const { bodyBytes: receivedBytes = request.body.length } = request
  const isComplete = request.body.length === receivedBytes && receivedBytes <= bodyBytes
  const record: UnprocessedRecord = {
    ...{ id, outcome, provider: provider.name, status, receivedAt, headers, body },
    bodyBytes: isComplete ? shown.length : receivedBytes,
    ...(endpoint !== undefined && { endpoint }),
    ...(kind !== undefined && { kind }),
    ...(reason !== undefined && { reason }),
    ...(isRefused && { client: getClientNetwork(request.address ?? 'unknown') }),
    storedBytes: rowBytes + body.length + JSON.stringify(headers).length,
  }
  const facts = { record, provider, requestId: request.requestId }
  if (!isRefused) return facts
  const hidden = isComplete && shown !== request.body && { body: encodeBytes('base64', request.body) }
  return { ...facts, proof: { ...selectProof(request, headers), ...hidden } }
}
