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
import type { DeliveryFilter, DeliveryQuery, DeliverySummary, OperatorInbox } from '@sallyport/webhooks'
import type { RequestContext } from '../http/context.ts'
import { deliveryResource, deliveryStatuses, type DeliveryResource } from './schemas.ts'
import { toDelivery } from './show.ts'

const listDeliveries = defineRoute({
  method: 'GET',
  path: '/deliveries',
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description: 'Verified and recorded deliveries, by the time of their receipt.',
  tags: ['deliveries'],
  access: { roles: ['admin'] },
  query: defineListQuery({
    sortable: ['created_at'],
    defaultSort: '-created_at',
    id: 'sequence',
    filterable: {
      status: oneOfFilter(deliveryStatuses),
      provider: textFilter(),
      createdAfter: afterFilter('created_at'),
    },
    fields: Object.keys(deliveryResource.shape) as (keyof DeliveryResource)[],
  }),
  responses: { 200: { description: 'A page of deliveries', list: deliveryResource } },
  etag: true,
})

/** A delivery with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly sequence: number
  readonly delivery: DeliverySummary
}

/** Creates the route that lists deliveries. */
export function listDeliveriesRoute(
  inbox: Pick<OperatorInbox, 'list' | 'countDeliveries'>,
): RouteBinding<RequestContext> {
  return bindRoute(listDeliveries, async ({ query }, context: RequestContext) => {
    const { createdAfter, ...filters } = query.filters
    const filter: DeliveryFilter = {
      ...filters,
      ...(createdAfter !== undefined && { receivedAfter: Date.parse(createdAfter) }),
    }
    const [deliveries, total] = await Promise.all([
      inbox.list({ ...filter, ...getPosition(query) }),
      query.pagination.kind === 'offset' ? inbox.countDeliveries(filter) : 0,
    ])
    const rows = deliveries.map((delivery): Row => {
      return { created_at: delivery.receivedAt, sequence: delivery.sequence, delivery }
    })
    return await answerList(query, context, () => ({ rows, total }), {
      map: ({ delivery }) => toDelivery(delivery),
    })
  })
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
