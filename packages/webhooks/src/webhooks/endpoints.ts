import { deriveKeys } from '../endpoints/derive-keys.ts'
import type { Endpoints } from '../endpoints/contract.ts'
import { createEndpoints } from '../endpoints/endpoints.ts'
import { createSecretCipher } from '../endpoints/secret-cipher.ts'
import { createTestDeliverySender } from '../endpoints/test-deliveries.ts'
import type { Gateway } from '../gateway/gateway-contract.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { Core } from './core.ts'
import { hasMethod } from './has-method.ts'
import type { EndpointOperations } from './operations.ts'
import type { KeyRing } from './secrets.ts'

/**
 * Opens the endpoints of the database for `true`, and returns another source unchanged.
 *
 * @throws TypeError without the store or the keys that the endpoints need
 */
export function openEndpoints(
  endpoints: true | EndpointSource | undefined,
  { database, ring, audit, onError, providers }: Core,
): EndpointSource | undefined {
  if (endpoints !== true) return endpoints
  if (database.endpoints === undefined) throw new TypeError('The database has no store of endpoints')
  if (!ring.areShared)
    throw new TypeError('endpoints: true needs encryptionKeys, which encrypt the secrets of endpoints')
  return createEndpoints({
    store: database.endpoints(),
    cipher: createSecretCipher(ring.keys),
    providers,
    onError: (error) => onError(error, 'endpoints'),
    onHandshake: async ({ id, provider, secretId }) => {
      const actor = { id: 'handshake', name: provider }
      const detail = { provider, secret_id: secretId }
      try {
        await audit?.record({ actor, action: 'endpoint.secret.establish', target: id, detail })
      } catch (error) {
        onError(error, 'audit')
      }
    },
  })
}

/** Returns the parts of the endpoints for operators; undefined for a source that is only read. */
export function toEndpointOperations(
  endpoints: EndpointSource | undefined,
  { ring, providers, place: { basePath, publicUrl } }: Core,
  gateway: Gateway,
): EndpointOperations | undefined {
  if (endpoints === undefined || !isManaged(endpoints)) return undefined
  return {
    endpoints,
    cipher: createResponseCipher(ring),
    createTestSender: (loadSamples) =>
      createTestDeliverySender({
        ...{ gateway, endpoints, providers, loadSamples },
        ...(publicUrl !== undefined && { gatewayUrl: `${publicUrl}${basePath}` }),
      }),
  }
}

/** Creates the cipher of stored responses that have a secret. */
export const createResponseCipher = ({ keys }: KeyRing) =>
  createSecretCipher(deriveKeys(keys, 'responses of endpoints'))

/** Whether a source is endpoints that operators manage. */
export const isManaged = (endpoints: EndpointSource): endpoints is Endpoints =>
  ['create', 'list', 'update', 'delete', 'addSecret'].every((name) => hasMethod(endpoints, name))
