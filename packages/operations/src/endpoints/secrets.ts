import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { AddedSecret } from '@sallyport/webhooks/endpoints'
import type { RecordAction } from '../audit/record-action.ts'
import { chooseSecret } from './choose-secret.ts'
import { invalidField } from './invalid-fields.ts'
import {
  changeWithResult,
  requireEndpoint,
  requireProvider,
  unknownEndpoint,
  type ManagedEndpoints,
} from './managed-endpoints.ts'
import { addSecretBody, endpointParams, secretParams, secretResource } from './schemas.ts'

/** Creates the routes that add and remove secrets of endpoints. */
export function endpointSecretRoutes(
  managed: ManagedEndpoints,
  access: RouteAccess,
  record: RecordAction,
): readonly RouteBinding[] {
  const { endpoints, providers, cipher } = managed
  const route = createRouteGroup({ tags: ['endpoints'], access })

  return [
    {
      ...route.post(
        '/endpoints/{id}/secrets',
        {
          operationId: 'addEndpointSecret',
          summary: 'Add a secret to an endpoint',
          description:
            'The endpoint accepts the old and the new secrets until the old ones are removed. The response is the only one with the generated secret.',
          params: endpointParams,
          body: addSecretBody,
          bodyRequired: false,
          bodyExample: {},
          responses: { 201: { description: 'The secret', data: secretResource } },
          errors: ['NOT_FOUND', 'CONFLICT'],
          idempotencyKey: true,
        },
        async ({ params: { id }, body }, context) => {
          const provider = requireProvider(providers, await requireEndpoint(endpoints, id))
          const secret = await chooseSecret(provider, body.secret)
          if (secret === undefined)
            throw invalidField('secret', `Is required: only the service creates secrets for ${provider.name}`)
          const toResult = ({ endpoint, secretId }: AddedSecret) => {
            const added = endpoint.secrets.find((one) => one.id === secretId)
            return {
              status: 201 as const,
              body: dataEnvelope({
                id: secretId,
                secret: body.secret === undefined ? secret : null,
                created_at: new Date(added?.createdAt ?? endpoint.updatedAt).toISOString(),
              }),
            }
          }
          const { saved, result } = await changeWithResult(managed, context, toResult, async (save) =>
            requireFound(await endpoints.addSecret(id, secret, save), unknownEndpoint),
          )
          await record(context, 'endpoint.secret.add', { target: id, detail: { secret_id: saved.secretId } })
          return result
        },
      ),
      responseCipher: cipher,
    },
    route.delete(
      '/endpoints/{id}/secrets/{secret_id}',
      {
        operationId: 'removeEndpointSecret',
        summary: 'Remove a secret of an endpoint',
        description: 'Other processes refuse the secret within two seconds.',
        params: secretParams,
        responses: { 204: { description: 'The secret is removed' } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { id, secret_id } }, context) => {
        requireFound((await endpoints.removeSecret(id, secret_id)) || undefined, unknownEndpoint)
        await record(context, 'endpoint.secret.remove', { target: id, detail: { secret_id } })
        return { status: 204 }
      },
    ),
  ]
}
