import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  requireFound,
  type RouteAccess,
  type RouteBinding,
  listFilter,
} from '@sallyport/rest'
import type {
  UnprocessedDelivery,
  UnprocessedDiagnoser,
  UnprocessedFilter,
  UnprocessedReplayer,
  UnprocessedStore,
} from '@sallyport/webhooks/unprocessed'
import type { RecordAction } from '../audit/record-action.ts'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { getTimePosition } from '../time-position.ts'
import {
  toUnprocessed,
  toUnprocessedDetail,
  unprocessedDetail,
  unprocessedDiagnosis,
  unprocessedOutcomes,
  unprocessedReplayResource,
  unprocessedResource,
  type UnprocessedResource,
} from './schemas.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const unknown = 'No kept delivery has this id: the delivery has expired, or is recorded now'

const listQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  filterable: {
    outcome: listFilter.oneOf(unprocessedOutcomes),
    provider: listFilter.text(),
    endpoint: listFilter.text(),
    kind: listFilter.text(),
    reason: listFilter.text(),
    value: listFilter.text({
      maxLength: 200,
      description:
        'An id of the service, such as X-GitHub-Delivery, a request id, or a value at a search path, exactly. Anybody may have sent it.',
    }),
    receivedAfter: listFilter.after('created_at'),
    receivedBefore: listFilter.before('created_at'),
  },
  fields: Object.keys(unprocessedResource.shape) as (keyof UnprocessedResource)[],
})

/** A kept delivery with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly delivery: UnprocessedDelivery
}

/** Creates the route that lists ignored and refused deliveries. */
export function listUnprocessedRoute(
  store: Pick<UnprocessedStore, 'list' | 'count'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/unprocessed-deliveries',
    {
      operationId: 'listUnprocessedDeliveries',
      tool: {},
      summary: 'List ignored and refused deliveries',
      description:
        'Deliveries of kinds that the provider does not handle, and deliveries whose signature was not valid, by the time of their receipt. They are kept for a short time and within a size, if the server is set up so. Beyond the size, the provider or endpoint with the most bytes loses first, and there the client network with the most.',
      access,
      query: listQuery,
      responses: { 200: { description: 'A page of deliveries', list: unprocessedResource } },
      etag: true,
    },
    async ({ query }, context) => {
      const { receivedAfter, receivedBefore, ...filters } = query.filters
      const filter: UnprocessedFilter = {
        ...filters,
        ...(receivedAfter !== undefined && { receivedAfter: Date.parse(receivedAfter) }),
        ...(receivedBefore !== undefined && { receivedBefore: Date.parse(receivedBefore) }),
      }
      const { after, ...page } = getTimePosition(query)
      const position = after && { after: { receivedAt: after.createdAt, id: after.id } }
      const [deliveries, total] = await Promise.all([
        store.list({ ...filter, ...page, ...position }),
        query.pagination.kind === 'offset' ? store.count(filter) : 0,
      ])
      const names = await findNames(deliveries.map(({ endpoint }) => endpoint))
      const rows = deliveries.map((delivery): Row => {
        return { created_at: delivery.receivedAt, id: delivery.id, delivery }
      })
      return await answerList(query, context, () => ({ rows, total }), {
        map: ({ delivery }) => toUnprocessed(delivery, names),
      })
    },
  )
}

/** Creates the route that shows an ignored or refused delivery. */
export function getUnprocessedRoute(
  store: Pick<UnprocessedStore, 'get'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/unprocessed-deliveries/{id}',
    {
      operationId: 'getUnprocessedDelivery',
      tool: {},
      summary: 'Get an ignored or refused delivery with its headers and its body',
      access,
      params: idParams,
      responses: { 200: { description: 'The delivery', data: unprocessedDetail } },
      errors: ['NOT_FOUND'],
      etag: true,
    },
    async ({ params: { id } }) => {
      const record = requireFound(await store.get(id), unknown)
      const names = await findNames([record.endpoint])
      return { status: 200, body: dataEnvelope(toUnprocessedDetail(record, names)) }
    },
  )
}

/** Creates the route that explains the refusal of a delivery. */
export function diagnoseUnprocessedRoute(explain: UnprocessedDiagnoser, access: RouteAccess): RouteBinding {
  return route.get(
    '/unprocessed-deliveries/{id}/diagnosis',
    {
      operationId: 'getUnprocessedDiagnosis',
      // It names headers of the request.
      tool: {},
      summary: 'Explain why the signature of a refused delivery is not valid',
      description:
        'Tries the usual mistakes: white space or another encoding of the secret, a time outside the tolerance, a body that was parsed and written again, another public address.',
      access,
      params: idParams,
      responses: { 200: { description: 'The diagnosis', data: unprocessedDiagnosis } },
      errors: ['NOT_FOUND', 'CONFLICT', 'PROVIDER_UNAVAILABLE'],
    },
    async ({ params: { id } }) => {
      const { verified, mistakes } = requireFound(await explain(id), unknown)
      return {
        status: 200,
        body: dataEnvelope({
          verified,
          mistakes: mistakes.map(({ code, message }) => ({ code, message })),
        }),
      }
    },
  )
}

/** Creates the route that processes an ignored or refused delivery again. */
export function replayUnprocessedRoute(
  replay: UnprocessedReplayer,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/unprocessed-deliveries/{id}/replays',
    {
      operationId: 'replayUnprocessedDelivery',
      tool: {},
      summary: 'Process an ignored or refused delivery again',
      description:
        'An ignored delivery is normalized by the current version of its provider. A refused one is verified with the current secrets, and its signed time is compared with the time of its receipt. Both are recorded like new deliveries, with the same keys, under the time of their receipt.',
      access,
      params: idParams,
      responses: { 202: { description: 'The outcome', data: unprocessedReplayResource } },
      errors: ['NOT_FOUND', 'CONFLICT', 'INBOX_UNAVAILABLE', 'BODY_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
      idempotencyKey: true,
    },
    async ({ params: { id } }, context) => {
      const { outcome, reason, deliveryId } = requireFound(await replay(id), unknown)
      await record(context, 'unprocessed.replay', { target: id, detail: { outcome, reason } })
      return {
        status: 202,
        body: dataEnvelope({ delivery_id: deliveryId ?? null, outcome, reason: reason ?? null }),
      }
    },
  )
}
