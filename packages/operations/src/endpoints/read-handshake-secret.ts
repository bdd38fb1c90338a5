import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { TakenSecret } from '@sallyport/webhooks/endpoints'
import type { RecordAction } from '../audit/record-action.ts'
import { changeWithResult, requireEndpoint, type ManagedEndpoints } from './managed-endpoints.ts'
import { endpointParams, handshakeSecretResource } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

/** Creates the route that returns the secret of a handshake once, for a service where an operator enters the secret. */
export function readHandshakeSecretRoute(
  managed: ManagedEndpoints,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  const { endpoints, cipher } = managed
  return {
    ...route.post(
      '/endpoints/{id}/handshake/secret',
      {
        access,
        operationId: 'readHandshakeSecret',
        summary: 'Read the secret of a handshake',
        description:
          'Some services send a secret in a handshake, and ask an operator for the secret. The response is the only one with the secret. Another request is a conflict.',
        params: endpointParams,
        responses: { 200: { description: 'The secret', data: handshakeSecretResource } },
        errors: ['NOT_FOUND', 'CONFLICT'],
        idempotencyKey: true,
      },
      async ({ params: { id } }, context) => {
        await requireEndpoint(endpoints, id)
        const toResult = ({ secretId, secret }: TakenSecret) => ({
          status: 200 as const,
          body: dataEnvelope({ id: secretId, secret }),
        })
        const { saved, result } = await changeWithResult(managed, context, toResult, async (save) => {
          const taken = await endpoints.takeSecret(id, save)
          if (taken === undefined)
            throw new SallyportError('CONFLICT', 'The endpoint has no readable secret of a handshake')
          return taken
        })
        await record(context, 'endpoint.secret.read', { target: id, detail: { secret_id: saved.secretId } })
        return result
      },
    ),
    responseCipher: cipher,
  }
}
