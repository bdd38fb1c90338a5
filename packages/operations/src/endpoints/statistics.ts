import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'
import { endpointNameShape, nameEndpoint, type FindEndpointNames } from './names.ts'

const route = createRouteGroup({ tags: ['statistics'] })

const limits = { newest: 10_000, limit: 20 }

const endpointStatisticsResource = z
  .object({
    endpoints: z
      .array(
        z.object({
          provider: z.string().meta({ examples: ['codehost'] }),
          endpoint: z
            .string()
            .meta({ description: 'The id of the endpoint.', examples: ['5Xo2aPq0VnTr8hZkWm3uYd'] }),
          ...endpointNameShape,
          deliveries: z
            .int()
            .min(1)
            .meta({ examples: [12] }),
          last_received_at: time.meta({ description: 'When the newest delivery was received.' }),
        }),
      )
      .meta({ description: 'The endpoint with most deliveries first, at most 20.' }),
  })
  .meta({ id: 'EndpointStatistics' })

/** Creates the route that counts deliveries by endpoint. */
export function endpointStatisticsRoute(
  inbox: Pick<OperatorInbox, 'endpointCounts'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/statistics/endpoints',
    {
      operationId: 'getEndpointStatistics',
      summary: 'Get the endpoints with most deliveries',
      description: `The newest ${limits.newest.toLocaleString('en')} recorded deliveries by endpoint. Duplicate, ignored and refused requests are not recorded.`,
      access,
      responses: { 200: { description: 'The endpoints', data: endpointStatisticsResource } },
    },
    async () => {
      const counts = await inbox.endpointCounts(limits)
      const names = await findNames(counts.map(({ endpoint }) => endpoint))
      return {
        status: 200,
        body: dataEnvelope({
          endpoints: counts.map(({ lastReceivedAt, ...count }) => ({
            ...count,
            ...nameEndpoint(names, count.endpoint),
            last_received_at: new Date(lastReceivedAt).toISOString(),
          })),
        }),
      }
    },
  )
}
