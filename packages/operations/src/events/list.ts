import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type CursorPagination,
  type RouteAccess,
  type RouteBinding,
  listFilter,
} from '@sallyport/rest'
import { readRow } from '@sallyport/internal/destination-row'
import { z } from 'zod'
import type { OperatorInbox, PublishedEvent, PublishedQuery } from '@sallyport/webhooks'
import { destinationName } from '../deliveries/schemas.ts'
import {
  endpointNameShape,
  nameEndpoint,
  type EndpointNames,
  type FindEndpointNames,
} from '../endpoints/names.ts'

const group = createRouteGroup({ tags: ['events'] })

/** A published event, as the REST API shows it. */
export const eventResource = z.object({
  id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
  destination: destinationName,
  name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
  provider: z.string().meta({ examples: ['codehost'] }),
  endpoint: z
    .string()
    .nullable()
    .meta({
      description: 'The id of the endpoint; null for the address without an endpoint.',
      examples: [null],
    }),
  ...endpointNameShape,
  subject: z.string().meta({ examples: ['octo-org/octo-repo/actions/runs/289782451'] }),
  delivery_id: z.uuid(),
  route: z.enum(['direct', 'queue']),
  occurred_at: z.iso.datetime(),
  published_at: z.iso.datetime(),
  data: z.unknown(),
})

export type EventResource = z.infer<typeof eventResource>

/** The filters of lists and streams of events. */
export const eventFilters = {
  provider: listFilter.text(),
  endpoint: listFilter.text(),
  name: listFilter.text(),
}

const listQuery = defineListQuery({
  sortable: [],
  id: 'sequence',
  filterable: eventFilters,
  fields: Object.keys(eventResource.shape) as (keyof EventResource)[],
})

/** Creates the route that lists published events. */
export function listEventsRoute(
  inbox: Pick<OperatorInbox, 'published' | 'countPublished'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return group.get(
    '/events',
    {
      operationId: 'listEvents',
      tool: {},
      summary: 'List published events in the order of their publication',
      description:
        'An event that only destinations receive is listed once: `destination` is the first one that received it. Ascending order. A consumer that keeps its cursor misses no event: new events always come after every issued cursor.',
      access,
      query: listQuery,
      responses: { 200: { description: 'A page of events', list: eventResource } },
      etag: true,
    },
    async ({ query }, context) => {
      const { pagination, filters } = query
      const isNumbered = pagination.kind === 'offset'
      const page = isNumbered
        ? { offset: pagination.offset, limit: pagination.limit }
        : { ...getSequences(pagination), limit: pagination.limit + 1 }
      const [rows, total] = await Promise.all([
        inbox.published({ ...filters, ...page }),
        isNumbered ? inbox.countPublished(filters) : 0,
      ])
      const names = await findNames(rows.map(({ event }) => event.source.endpoint))
      return await answerList(query, context, () => ({ rows, total }), {
        map: (row) => toResource(row, names),
      })
    },
  )
}

type Sequences = Pick<PublishedQuery, 'after' | 'before'>

/** Converts the cursor of a page to a range of sequence numbers. */
function getSequences({ anchor }: CursorPagination): Sequences {
  if (!('position' in anchor)) return anchor.at === 'start' ? {} : { before: Number.MAX_SAFE_INTEGER }
  const sequence = Number(anchor.position[0])
  return anchor.at === 'after' ? { after: sequence } : { before: sequence }
}

/** An event in a list or a stream. */
export function toResource(
  { event, route, publishedAt }: PublishedEvent,
  names: EndpointNames,
): EventResource {
  const { destination = null, id } = readRow(event.id)
  return {
    id,
    destination,
    name: event.name,
    provider: event.source.provider,
    endpoint: event.source.endpoint ?? null,
    ...nameEndpoint(names, event.source.endpoint),
    subject: event.subject,
    delivery_id: event.source.deliveryId,
    route,
    occurred_at: new Date(event.ts).toISOString(),
    published_at: new Date(publishedAt).toISOString(),
    // Undefined for an erased event.
    data: event.data ?? null,
  }
}
