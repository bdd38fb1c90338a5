import { SallyportError } from '@sallyport/errors'
import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { RecordAction } from '../audit/record-action.ts'
import {
  requireEndpoint,
  requireProvider,
  unknownEndpoint,
  type ManagedEndpoints,
} from './managed-endpoints.ts'
import { endpointParams, endpointResource, toEndpoint } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

/** Creates the route that lets an endpoint wait for the handshake in which the service sends its secret. */
export function startHandshakeRoute(
  { endpoints, providers, gatewayUrl }: ManagedEndpoints,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/endpoints/{id}/handshake',
    {
      access,
      operationId: 'startEndpointHandshake',
      summary: 'Wait for a handshake',
      description:
        'The endpoint accepts the next handshake in which the service sends its secret, until `handshake_until`. Anyone who knows the address can send it: start it just before you create the webhook at the service. Only for an endpoint without secrets.',
      params: endpointParams,
      responses: { 200: { description: 'The endpoint', data: endpointResource } },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ params: { id } }, context) => {
      const { name, handshake } = requireProvider(providers, await requireEndpoint(endpoints, id))
      if (!handshake?.establishesSecret)
        throw new SallyportError('CONFLICT', `${name} sends no secret in a handshake: add a secret`)
      const endpoint = toEndpoint(
        requireFound(await endpoints.startHandshake(id), unknownEndpoint),
        gatewayUrl,
      )
      await record(context, 'endpoint.handshake.start', {
        target: id,
        detail: { until: endpoint.handshake_until },
      })
      return { status: 200, body: dataEnvelope(endpoint) }
    },
  )
}
