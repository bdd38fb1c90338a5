import {
  afterFilter,
  answerList,
  bindRoute,
  defineListQuery,
  defineRoute,
  oneOfFilter,
  textFilter,
  type ListQuery,
  type RouteBinding,
} from '@sallyport/rest'
import type { Endpoint, EndpointFilter, EndpointQuery, Endpoints } from '@sallyport/webhooks/endpoints'
import type { RequestContext } from '../http/context.ts'
import { endpointResource, endpointStatuses, toEndpoint, type EndpointResource } from './schemas.ts'

const listEndpoints = defineRoute({
  method: 'GET',
  path: '/endpoints',
  operationId: 'listEndpoints',
  summary: 'List endpoints',
  tags: ['endpoints'],
  access: { roles: ['admin'] },
  query: defineListQuery({
    sortable: ['created_at'],
    defaultSort: '-created_at',
    searchable: 'name',
    filterable: {
      status: oneOfFilter(endpointStatuses),
      provider: textFilter(),
      createdAfter: afterFilter('created_at'),
    },
    fields: Object.keys(endpointResource.shape) as (keyof EndpointResource)[],
  }),
  responses: { 200: { description: 'A page of endpoints', list: endpointResource } },
  etag: true,
})

/** An endpoint with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly endpoint: Endpoint
}

/** Creates the route that lists endpoints. */
export function listEndpointsRoute(
  endpoints: Pick<Endpoints, 'list' | 'count'>,
  publicUrl: string | undefined,
): RouteBinding<RequestContext> {
  return bindRoute(listEndpoints, async ({ query }, context: RequestContext) => {
    const { createdAfter, ...filters } = query.filters
    const filter: EndpointFilter = {
      ...filters,
      search: query.search,
      ...(createdAfter !== undefined && { createdAfter: Date.parse(createdAfter) }),
    }
    const [found, total] = await Promise.all([
      endpoints.list({ ...filter, ...getPosition(query) }),
      query.pagination.kind === 'offset' ? endpoints.count(filter) : 0,
    ])
    const rows = found.map((endpoint): Row => {
      return { created_at: endpoint.createdAt, id: endpoint.id, endpoint }
    })
    return await answerList(query, context, () => ({ rows, total }), {
      map: ({ endpoint }) => toEndpoint(endpoint, publicUrl),
    })
  })
}

function getPosition({
  pagination,
  sort,
}: ListQuery): Pick<EndpointQuery, 'order' | 'after' | 'offset' | 'limit'> {
  const newestFirst = sort[0]?.direction === 'desc'
  if (pagination.kind === 'offset') {
    const { offset, limit } = pagination
    return { order: newestFirst ? 'newest' : 'oldest', offset, limit }
  }
  const { anchor, limit } = pagination
  const isBackward = anchor.at === 'end' || anchor.at === 'before'
  return {
    order: newestFirst === isBackward ? 'oldest' : 'newest',
    ...('position' in anchor && {
      after: { createdAt: Number(anchor.position[0]), id: String(anchor.position[1]) },
    }),
    limit: limit + 1,
  }
}
