import { checkFunctions } from '@sallyport/internal/options'
import type { RecordingGateway } from '@sallyport/webhooks'
import type { Reprocessed } from '../gateway/reprocess.ts'
import type { SecretCipher } from '@sallyport/webhooks/endpoints'
import { openProof } from './proof.ts'
import type { UnprocessedStore } from './store.ts'

export interface UnprocessedReplayerOptions {
  readonly store: Pick<UnprocessedStore, 'get' | 'delete'>
  readonly gateway: Pick<RecordingGateway, 'reprocess'>
  /** Decrypts what the keeper encrypted. */
  readonly cipher: SecretCipher
}

/** The result of the replay of a kept delivery. */
interface ReplayedUnprocessed extends Reprocessed {
  /** The id of the delivery in the inbox, if it is recorded now. */
  readonly deliveryId?: string
}

/** Replays a kept delivery, or resolves to undefined for an unknown id. */
export type UnprocessedReplayer = (id: string) => Promise<ReplayedUnprocessed | undefined>

/**
 * Creates a function that processes a kept delivery again, through the gateway: an ignored one is normalized by the current
 * version of its provider, and a refused one is verified with the current secrets and the time of its receipt. A delivery that
 * is accepted, a duplicate or quarantined leaves the store.
 *
 * The function throws a SallyportError `CONFLICT` (409) for a body that was cut and for a signature that no key decrypts, and
 * errors of status 503 of the gateway.
 *
 * @throws TypeError for an incomplete store or gateway
 */
export function createUnprocessedReplayer({
  store,
  gateway,
  cipher,
}: UnprocessedReplayerOptions): UnprocessedReplayer {
  checkFunctions('store', store, 'get', 'delete')
  checkFunctions('gateway', gateway, 'reprocess')
  return async (id) => {
    const record = await store.get(id)
    if (record === undefined) return undefined
    const { provider, endpoint, outcome, receivedAt } = record
    const { method, headers, url, alternativeUrls, body } = await openProof(cipher, record)
    const isVerified = outcome === 'ignored'
    const result = await gateway.reprocess({
      id,
      provider,
      endpoint,
      isVerified,
      method,
      headers,
      body,
      url,
      alternativeUrls,
      receivedAt,
    })
    if (result.outcome === 'refused' || result.outcome === 'ignored') return result
    await store.delete(id)
    return { ...result, ...(result.outcome !== 'duplicate' && { deliveryId: id }) }
  }
}
