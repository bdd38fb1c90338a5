import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import { z } from 'zod'
import { endpointResource, showOptions } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

const { id, provider, status, url, labels, options } = endpointResource.shape

const declaredEndpointResource = z
  .object({
    ...{ id, provider, status, url, labels, options },
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Acme Ltd'] }),
    secrets: z
      .int()
      .min(0)
      .meta({ description: 'The number of secrets.', examples: [1] }),
  })
  .meta({ id: 'DeclaredEndpoint' })

/** Creates the route that lists the endpoints of a file. */
export const listDeclaredEndpointsRoute = (
  list: NonNullable<WebhookOperations['declaredEndpoints']>,
  gatewayUrl: string,
  access: RouteAccess,
): RouteBinding =>
  route.get(
    '/declared-endpoints',
    {
      operationId: 'listDeclaredEndpoints',
      tool: {},
      summary: 'List the endpoints of the file of endpoints',
      description: 'These endpoints are read-only: change the file.',
      access,
      query: defineListQuery({ sortable: ['id'], defaultSort: 'id', id: 'id' }),
      responses: { 200: { description: 'A page of endpoints', list: declaredEndpointResource } },
    },
    async ({ query }, context) =>
      answerList(
        query,
        context,
        list().map(({ name, labels, options, ...endpoint }) => ({
          ...endpoint,
          labels: { ...labels },
          name: name ?? null,
          options: showOptions(options ?? {}),
          url: `${gatewayUrl}/${endpoint.provider}/${endpoint.id}`,
        })),
      ),
  )
