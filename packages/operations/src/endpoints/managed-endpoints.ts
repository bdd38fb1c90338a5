import { SallyportError } from '@sallyport/errors'
import { requireFound, type AnyRouteResult, type ApiContext } from '@sallyport/rest'
import type { IdempotencyStore } from '@sallyport/rest/store'
import type { AnyProvider } from '@sallyport/webhooks'
import type {
  Endpoint,
  Endpoints,
  SaveOptions,
  SecretCipher,
  TestDeliverySender,
} from '@sallyport/webhooks/endpoints'

/** The endpoints that the routes of endpoints manage. */
export interface ManagedEndpoints {
  /** The endpoints of `createEndpoints`, which the gateway has, too. */
  readonly endpoints: Omit<Endpoints, 'find' | 'establishSecret' | 'reencrypt'>
  /** The providers of the gateway. */
  readonly providers: readonly AnyProvider[]
  /**
   * Encrypts the responses that contain a secret while they are stored for an `Idempotency-Key`. The cipher of the endpoints
   * is suitable.
   */
  readonly cipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>
  /**
   * Returns the store of idempotent responses for a transaction of the endpoint store, so that a crash leaves no endpoint
   * whose response, the only one with its secret, is lost: `kyselyIdempotencyStore`.
   *
   * @default the endpoint and the response are stored separately
   */
  readonly idempotency?: ((transaction: never) => Pick<IdempotencyStore, 'complete'>) | undefined
  /** The public address of the gateway, before `/{provider}/{endpoint}`. @default '/webhooks' */
  readonly gatewayUrl?: string | undefined
  /** Sends test deliveries; see `createTestDeliverySender`. @default no route for test deliveries */
  readonly sendTestDelivery?: TestDeliverySender | undefined
}

export const unknownEndpoint = 'The endpoint or the secret does not exist'

/**
 * Runs a change whose response is stored for an `Idempotency-Key` in the transaction of the change.
 *
 * @returns the response
 */
export async function changeWithResult<Saved, Result extends AnyRouteResult>(
  { idempotency }: Pick<ManagedEndpoints, 'idempotency'>,
  { saveResult }: ApiContext,
  toResult: (saved: Saved) => Result,
  change: (save: SaveOptions<Saved>) => Promise<Saved>,
): Promise<{ readonly saved: Saved; readonly result: Result }> {
  let result: Result | undefined
  const save =
    saveResult &&
    idempotency &&
    ((saved: Saved, transaction: unknown) =>
      saveResult((result = toResult(saved)), idempotency(transaction as never)))
  const saved = await change({ save })
  return { saved, result: result ?? toResult(saved) }
}

/** Returns an endpoint. @throws SallyportError 404 `NOT_FOUND` */
export async function requireEndpoint(endpoints: Pick<Endpoints, 'get'>, id: string): Promise<Endpoint> {
  return requireFound(await endpoints.get(id), unknownEndpoint)
}

/** Returns the provider of an endpoint. @throws SallyportError 409 `CONFLICT` for a provider without registration */
export function requireProvider(providers: readonly AnyProvider[], { provider }: Endpoint): AnyProvider {
  const found = providers.find(({ name }) => name === provider)
  if (found === undefined)
    throw new SallyportError('CONFLICT', `The provider ${provider} is not registered at the server`)
  return found
}
