import { deriveKeys } from '../endpoints/derive-keys.ts'
import { createEndpoints, type Endpoints } from '../endpoints/endpoints.ts'
import { createSecretCipher } from '../endpoints/secret-cipher.ts'
import { createTestDeliverySender } from '../endpoints/test-deliveries.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Gateway } from '../gateway/gateway-contract.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { WebhookDatabase } from './database.ts'
import { hasMethod } from './has-method.ts'
import type { Place } from './hosts.ts'
import type { EndpointOperations } from './operations.ts'
import type { ReportError } from './report.ts'
import type { KeyRing } from './secrets.ts'

export interface EndpointParts {
  readonly database: Pick<WebhookDatabase, 'endpoints'>
  readonly ring: KeyRing
  readonly audit: AuditLog | undefined
  readonly onError: ReportError
  readonly providers: readonly AnyProvider[]
}

/**
 * Opens the endpoints of the database for `true`, and returns another source unchanged.
 *
 * @throws TypeError without the store or the keys that the endpoints need
 */
export function openEndpoints(
  endpoints: true | EndpointSource | undefined,
  { database, ring, audit, onError, providers }: EndpointParts,
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

export interface EndpointHost extends Place {
  readonly ring: KeyRing
  readonly gateway: Gateway
  readonly providers: readonly AnyProvider[]
}

/** Returns the parts of the endpoints for operators; undefined for a source that is only read. */
export function toEndpointOperations(
  endpoints: EndpointSource | undefined,
  { ring, gateway, providers, basePath, publicUrl }: EndpointHost,
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
