import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'
import { endpointNameShape, nameEndpoint, type FindEndpointNames } from '../endpoints/names.ts'

const route = createRouteGroup({ tags: ['statistics'] })

const newest = 10_000
const maxGroups = 500

const groupResource = z.object({
  provider: z.string().meta({ examples: ['codehost'] }),
  kind: z
    .string()
    .nullable()
    .meta({ description: 'The name of the events without the provider; by kind only.', examples: [null] }),
  endpoint: z
    .string()
    .nullable()
    .meta({ description: 'The id of the endpoint; by endpoint only.', examples: ['5Xo2aPq0VnTr8hZkWm3uYd'] }),
  ...endpointNameShape,
  deliveries: z
    .int()
    .min(1)
    .meta({ examples: [12] }),
  first_received_at: time.meta({ description: 'When the oldest delivery of the group was received.' }),
  last_received_at: time.meta({ description: 'When the newest delivery of the group was received.' }),
  latency_ms: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description:
        'The median time from the receipt to the publication of the events. Null without a published event.',
      examples: [12],
    }),
})

const deliveryStatisticsResource = z
  .object({
    groups: z.array(groupResource).meta({ description: 'The group with most deliveries first.' }),
  })
  .meta({ id: 'DeliveryStatistics' })

/** Creates the route that counts deliveries by provider, kind or endpoint. */
export function deliveryStatisticsRoute(
  inbox: Pick<OperatorInbox, 'newestCounts'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/statistics/deliveries',
    {
      operationId: 'getDeliveryStatistics',
      tool: {},
      summary: 'Get the numbers of deliveries by provider, kind or endpoint',
      description: `The deliveries of the newest ${newest.toLocaleString('en')} events. Duplicate, ignored, refused and quarantined requests have no events.`,
      access,
      query: z.strictObject({
        by: z.enum(['provider', 'kind', 'endpoint']).default('provider'),
        limit: z.coerce.number().int().min(1).max(maxGroups).default(maxGroups),
      }),
      responses: { 200: { description: 'The groups', data: deliveryStatisticsResource } },
    },
    async ({ query }) => {
      const groups = await inbox.newestCounts({ ...query, newest })
      const names = await findNames(groups.map(({ endpoint }) => endpoint))
      return {
        status: 200,
        body: dataEnvelope({
          groups: groups.map(({ firstReceivedAt, lastReceivedAt, latencyMs, ...group }) => ({
            provider: group.provider,
            kind: group.kind ?? null,
            endpoint: group.endpoint ?? null,
            ...nameEndpoint(names, group.endpoint),
            deliveries: group.deliveries,
            first_received_at: new Date(firstReceivedAt).toISOString(),
            last_received_at: new Date(lastReceivedAt).toISOString(),
            latency_ms: latencyMs ?? null,
          })),
        }),
      }
    },
  )
}
