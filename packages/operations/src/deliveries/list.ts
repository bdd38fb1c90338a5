import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type ListQuery,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { DeliveryFilter, DeliveryQuery, DeliverySummary, OperatorInbox } from '@sallyport/webhooks'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { deliveryFilters, toListFilter } from './criteria.ts'
import { deliveryResource, type DeliveryResource } from './schemas.ts'
import { toDelivery } from './show.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const listQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  id: 'sequence',
  filterable: deliveryFilters,
  fields: Object.keys(deliveryResource.shape) as (keyof DeliveryResource)[],
})

/** A delivery with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly sequence: number
  readonly delivery: DeliverySummary
}

/** The largest total of a list with a filter that no counter has. */
const maxTotal = 100_000

/** Creates the route that lists deliveries. */
export function listDeliveriesRoute(
  inbox: Pick<OperatorInbox, 'list' | 'countDeliveries'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/deliveries',
    {
      operationId: 'listDeliveries',
      tool: {},
      summary: 'List deliveries',
      description: `Verified and recorded deliveries, by the time of their receipt. With a filter other than provider, status and time, \`total\` stops at ${maxTotal}: a reader of more deliveries uses \`cursor\`.`,
      access,
      query: listQuery,
      responses: { 200: { description: 'A page of deliveries', list: deliveryResource } },
      etag: true,
    },
    async ({ query }, context) => {
      const filter = toListFilter(query.filters)
      const [deliveries, total] = await Promise.all([
        inbox.list({ ...filter, ...getPosition(query) }),
        query.pagination.kind === 'offset' ? countAll(inbox, filter) : 0,
      ])
      const names = await findNames(deliveries.map(({ endpoint }) => endpoint))
      const rows = deliveries.map((delivery): Row => {
        return { created_at: delivery.receivedAt, sequence: delivery.sequence, delivery }
      })
      return await answerList(query, context, () => ({ rows, total }), {
        map: ({ delivery }) => toDelivery(delivery, names),
      })
    },
  )
}

const counted: ReadonlySet<string> = new Set(['provider', 'status', 'receivedAfter', 'receivedBefore'])

function countAll(inbox: Pick<OperatorInbox, 'countDeliveries'>, filter: DeliveryFilter): Promise<number> {
  const names = Object.keys(filter).filter((name) => filter[name as keyof DeliveryFilter] !== undefined)
  const isCounted = names.every((name) => counted.has(name))
  return inbox.countDeliveries(filter, isCounted ? {} : { countUpTo: maxTotal })
}

function getPosition({
  pagination,
  sort,
}: ListQuery): Pick<DeliveryQuery, 'order' | 'after' | 'offset' | 'limit'> {
  const newestFirst = sort[0]?.direction === 'desc'
  if (pagination.kind === 'offset') {
    return {
      order: newestFirst ? 'newest' : 'oldest',
      offset: pagination.offset,
      limit: pagination.limit,
    }
  }
  const { anchor, limit } = pagination
  const isBackward = anchor.at === 'end' || anchor.at === 'before'
  return {
    order: newestFirst === isBackward ? 'oldest' : 'newest',
    ...('position' in anchor && {
      after: { receivedAt: Number(anchor.position[0]), sequence: Number(anchor.position[1]) },
    }),
    limit: limit + 1,
  }
}
