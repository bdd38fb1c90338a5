import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { FailureGroup, OperatorInbox } from '@sallyport/webhooks'
import type { ConsumerStore } from '@sallyport/webhooks/consumer'
import { z } from 'zod'
import { destinationName } from '../deliveries/schemas.ts'
import { consumerResource, toConsumer } from '../consumers/schemas.ts'
import {
  endpointNameShape,
  nameEndpoint,
  type EndpointNames,
  type FindEndpointNames,
} from '../endpoints/names.ts'
import { id, textField, time } from '@sallyport/internal/resource-fields'

const route = createRouteGroup({ tags: ['events'] })

const status = z.enum(['pending', 'queued', 'dead'])

const failureResource = z
  .object({
    status,
    provider: z.string().meta({ examples: ['codehost'] }),
    kind: z
      .string()
      .meta({ description: 'The name of the events without the provider.', examples: ['push'] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The last error of the events.', examples: ['TimeoutError'] }),
    destination: destinationName,
    events: z
      .int()
      .min(1)
      .meta({ description: 'The number of events.', examples: [12] }),
    first_received_at: time.meta({ description: 'When the oldest delivery of the group was received.' }),
    last_received_at: time.meta({ description: 'When the newest delivery of the group was received.' }),
    newest_delivery_id: id.meta({ examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }),
    endpoint: z
      .string()
      .nullable()
      .meta({ description: 'The id of the endpoint of the newest delivery.', examples: [null] }),
    ...endpointNameShape,
    endpoints: z
      .int()
      .min(0)
      .meta({ description: 'How many endpoints received the deliveries of the group.', examples: [0] }),
  })
  .meta({ id: 'Failure' })

const failuresResource = z
  .object({
    groups: z.array(failureResource).meta({ description: 'The group with the newest delivery first.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether older failing events were not read.', examples: [false] }),
    consumers: z.array(consumerResource).meta({
      description:
        'The consumers of the bus in the database with failing events or dead letters; without a filter only.',
    }),
  })
  .meta({ id: 'Failures' })

/** The most events that a request reads. A provider or an endpoint may be few of all failing events. */
const limits = { all: 10_000, filtered: 100_000 }
const maxGroups = 500

export interface FailuresOptions {
  readonly inbox: Pick<OperatorInbox, 'failures'>
  readonly consumers: Pick<ConsumerStore, 'list'> | undefined
}

/** Creates the route that groups failing events. */
export function listFailuresRoute(
  { inbox, consumers }: FailuresOptions,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/failures',
    {
      operationId: 'listFailures',
      tool: {},
      summary: 'List failing events by their error',
      description:
        'Dead events, and pending and queued ones whose last attempts failed, grouped by status, provider, kind, error and destination. The newest 10,000 failing events are read, or 100,000 with a provider or an endpoint. `POST /replays` and `POST /retries` take the values of a group as criteria.',
      access,
      query: z.strictObject({
        status: status.optional(),
        provider: textField({ min: 1, max: 200, example: 'codehost' }).optional(),
        endpoint: textField({ min: 1, max: 64, example: '5Xo2aPq0VnTr8hZkWm3uYd' }).optional(),
      }),
      responses: { 200: { description: 'The groups', data: failuresResource } },
    },
    async ({ query }) => {
      const isFiltered = query.provider !== undefined || query.endpoint !== undefined
      const limit = isFiltered ? limits.filtered : limits.all
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
      const [{ groups, truncated }, states = []] = await Promise.all([
        inbox.failures({ ...given, limit }),
        Object.keys(given).length === 0 ? consumers?.list() : undefined,
      ])
      const shown = groups.slice(0, maxGroups)
      const names = await findNames(shown.map(({ newestEndpoint }) => newestEndpoint))
      return {
        status: 200,
        body: dataEnvelope({
          groups: shown.map((group) => toResource(group, names)),
          truncated: truncated || groups.length > maxGroups,
          consumers: states.filter(({ failing, deadLetters }) => failing + deadLetters > 0).map(toConsumer),
        }),
      }
    },
  )
}

function toResource(group: FailureGroup, names: EndpointNames): z.infer<typeof failureResource> {
  return {
    status: group.status,
    provider: group.provider,
    kind: group.kind,
    error: group.error ?? null,
    destination: group.destination ?? null,
    events: group.events,
    first_received_at: new Date(group.firstReceivedAt).toISOString(),
    last_received_at: new Date(group.lastReceivedAt).toISOString(),
    newest_delivery_id: group.newestDelivery,
    endpoint: group.newestEndpoint ?? null,
    ...nameEndpoint(names, group.newestEndpoint),
    endpoints: group.endpoints,
  }
}
