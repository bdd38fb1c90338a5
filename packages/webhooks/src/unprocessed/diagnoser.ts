import { CodedError } from '@sallyport/errors'
import { checkFunctions } from '@sallyport/internal/options'
import type { AnyProvider, SecretKeeper } from '@sallyport/webhooks'
import type { EndpointSource } from '../ports/ports.ts'
import { diagnose, type Diagnosis } from '@sallyport/webhooks/diagnose'
import type { SecretCipher } from '@sallyport/webhooks/endpoints'
import { findEndpoint } from '../gateway/find-endpoint.ts'
import { createDelivery } from '../provider/verify.ts'
import { openProof } from './proof.ts'
import type { UnprocessedStore } from './store.ts'

export interface UnprocessedDiagnoserOptions {
  readonly store: Pick<UnprocessedStore, 'get'>
  readonly providers: readonly AnyProvider[]
  /** The secrets of the addresses without an endpoint. @default none */
  readonly secrets?: Pick<SecretKeeper, 'getSecrets'> | undefined
  /** @default none */
  readonly endpoints?: EndpointSource | undefined
  /** Decrypts what the keeper encrypted. */
  readonly cipher: SecretCipher
}

/** Explains why a kept delivery was refused, or resolves to undefined for an unknown id. */
export type UnprocessedDiagnoser = (id: string) => Promise<Diagnosis | undefined>

/**
 * Creates a function that explains why a kept delivery was refused: it verifies the delivery with the current secrets and the
 * time of its receipt, and tries the usual mistakes. No result contains a secret.
 *
 * The function throws a SallyportError `CONFLICT` (409) for an ignored delivery, for a provider that is not registered, for a
 * body that was cut and for a signature that no key decrypts, and errors of status 503 of the secrets and the endpoints.
 *
 * @throws TypeError for an incomplete store
 */
export function createUnprocessedDiagnoser({
  store,
  providers,
  secrets,
  endpoints,
  cipher,
}: UnprocessedDiagnoserOptions): UnprocessedDiagnoser {
  checkFunctions('store', store, 'get')
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  return async (id) => {
    const record = await store.get(id)
    if (record === undefined) return undefined
    const { receivedAt } = record
    if (record.outcome === 'ignored') throw conflict('The signature of an ignored delivery is valid')
    const { method = 'POST', headers, url, alternativeUrls, body } = await openProof(cipher, record)
    const provider = byName.get(record.provider)
    if (provider === undefined) throw conflict('The provider of this delivery is not registered')
    const endpoint =
      record.endpoint === undefined
        ? undefined
        : await findEndpoint(endpoints, provider.name, record.endpoint)
    return await diagnose({
      provider,
      delivery: createDelivery({ method, headers, body, url, alternativeUrls }, endpoint),
      secrets: endpoint ? endpoint.secrets : ((await secrets?.getSecrets(provider.name)) ?? []),
      now: receivedAt,
    })
  }
}

const conflict = (message: string) => new CodedError(409, 'CONFLICT', message)
