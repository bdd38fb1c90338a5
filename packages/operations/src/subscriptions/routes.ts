import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  listFilter,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import type { SubscriptionRecord } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import type { FindEndpointNames } from '../endpoints/names.ts'
import { getTimePosition } from '../time-position.ts'
import { subscriptionResource, toSubscription, type SubscriptionResource } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

interface SubscriptionRoutesOptions {
  readonly subscriptions: NonNullable<WebhookOperations['subscriptions']>
  readonly findNames: FindEndpointNames
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly write: RouteAccess
}

/** A subscription with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly subscription: SubscriptionRecord
}

const listQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  filterable: { endpoint: listFilter.text(), service: listFilter.text() },
  fields: Object.keys(subscriptionResource.shape) as (keyof SubscriptionResource)[],
})

const params = z.object({
  id: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .meta({ examples: ['github-acme'] }),
})

const unknown = 'There is no subscription with this id'

/** Creates the routes that list subscriptions, and that renew one. */
export function subscriptionRoutes({
  subscriptions,
  findNames,
  record,
  read,
  write,
}: SubscriptionRoutesOptions): readonly RouteBinding[] {
  const get = async (id: string) => {
    const found = requireFound(await subscriptions.get(id), unknown)
    return toSubscription(found, await findNames([found.endpoint]))
  }
  return [
    route.get(
      '/subscriptions',
      {
        operationId: 'listSubscriptions',
        tool: {},
        summary: 'List subscriptions',
        description:
          'A subscription is the webhook of an endpoint at its service, which the server registers, renews and repairs.',
        access: read,
        query: listQuery,
        responses: { 200: { description: 'A page of subscriptions', list: subscriptionResource } },
      },
      async ({ query }, context) => {
        const { endpoint, service } = query.filters
        const filter = { service, endpoints: endpoint === undefined ? undefined : [endpoint] }
        const [found, total] = await Promise.all([
          subscriptions.list({ ...filter, ...getTimePosition(query) }),
          query.pagination.kind === 'offset' ? subscriptions.count(filter) : 0,
        ])
        const names = await findNames(found.map((one) => one.endpoint))
        const rows = found.map((subscription): Row => {
          return { created_at: subscription.createdAt, id: subscription.id, subscription }
        })
        return await answerList(query, context, () => ({ rows, total }), {
          map: ({ subscription }) => toSubscription(subscription, names),
        })
      },
    ),
    route.get(
      '/subscriptions/{id}',
      {
        operationId: 'getSubscription',
        tool: {},
        summary: 'Get a subscription',
        access: read,
        params,
        responses: { 200: { description: 'The subscription', data: subscriptionResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }) => ({ status: 200, body: dataEnvelope(await get(id)) }),
    ),
    route.post(
      '/subscriptions/{id}/renewals',
      {
        operationId: 'renewSubscription',
        tool: {},
        summary: 'Check and renew a subscription now',
        description:
          'A process with the role `dispatcher` compares the subscription with its service within seconds, and renews one that expires. `checked_at` shows when it is done.',
        access: write,
        params,
        responses: { 202: { description: 'The subscription before', data: subscriptionResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }, context) => {
        const body = dataEnvelope(await get(id))
        requireFound((await subscriptions.renew(id)) || undefined, unknown)
        await record(context, 'subscription.renew', { target: id })
        return { status: 202, body }
      },
    ),
  ]
}
