import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type RouteAccess,
  type RouteBinding,
  listFilter,
} from '@sallyport/rest'
import { parseSelector, selectorField } from '@sallyport/internal/label-selector'
import type { Endpoint, EndpointFilter, Endpoints } from '@sallyport/webhooks/endpoints'
import type { FindSummaries } from '../subscriptions/find-summaries.ts'
import { getTimePosition } from '../time-position.ts'
import { endpointResource, endpointStatuses, toEndpoint, type EndpointResource } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

const labelsFilter = selectorField.refine((text) => !text.includes(';'), 'Must have no alternatives')

/** An endpoint with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly endpoint: Endpoint
}

/** Creates the route that lists endpoints. */
export function listEndpointsRoute(
  endpoints: Pick<Endpoints, 'list' | 'count'>,
  gatewayUrl: string,
  findSubscriptions: FindSummaries,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/endpoints',
    {
      operationId: 'listEndpoints',
      tool: {},
      summary: 'List endpoints',
      access,
      query: defineListQuery({
        sortable: ['created_at'],
        defaultSort: '-created_at',
        searchable: 'name',
        filterable: {
          status: listFilter.oneOf(endpointStatuses),
          provider: listFilter.text(),
          labels: listFilter.schema(labelsFilter),
          createdAfter: listFilter.after('created_at'),
        },
        fields: Object.keys(endpointResource.shape) as (keyof EndpointResource)[],
      }),
      responses: { 200: { description: 'A page of endpoints', list: endpointResource } },
      etag: true,
    },
    async ({ query }, context) => {
      const { createdAfter, labels, ...filters } = query.filters
      const filter: EndpointFilter = {
        ...filters,
        search: query.search,
        labels: labels === undefined ? undefined : parseSelector(labels)[0],
        ...(createdAfter !== undefined && { createdAfter: Date.parse(createdAfter) }),
      }
      const [found, total] = await Promise.all([
        endpoints.list({ ...filter, ...getTimePosition(query) }),
        query.pagination.kind === 'offset' ? endpoints.count(filter) : 0,
      ])
      const rows = found.map((endpoint): Row => {
        return { created_at: endpoint.createdAt, id: endpoint.id, endpoint }
      })
      const summarize = await findSubscriptions(found.map(({ id }) => id))
      return await answerList(query, context, () => ({ rows, total }), {
        map: ({ endpoint }) => toEndpoint(endpoint, gatewayUrl, summarize(endpoint.id)),
      })
    },
  )
}
