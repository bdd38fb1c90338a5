import { VendorApiError } from '@sallyport/internal/vendor-api'
import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, read, tooMany } from './api.ts'

const parameters = z.strictObject({
  /** Such as `acme.myshopify.com`. */
  shop: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/),
  /** Such as `ORDERS_CREATE`. */
  topic: z.string().regex(/^[A-Z_]{1,100}$/),
  /** The version of the API, such as `2025-01`. */
  version: z.string().regex(/^\d{4}-\d{2}$/),
})

type Context = SubscriptionContext<z.output<typeof parameters>>

const node = z.object({
  id: z.string(),
  endpoint: z.object({ callbackUrl: z.string().optional() }),
})
const list = z.object({ nodes: z.array(node), pageInfo: z.object({ hasNextPage: z.boolean() }) })
const changed = z.object({
  webhookSubscription: z.object({ id: z.string() }).nullish(),
  userErrors: z.array(z.unknown()),
})

/** @throws VendorApiError `REFUSED` for an error in the answer */
async function query(
  context: Context,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { shop, version } = context.parameters
  const api = connect(context, {
    baseUrl: `https://${shop}/admin/api/${version}`,
    headers: (token) => ({ 'x-shopify-access-token': token }),
  })
  const body = { query: text, variables }
  const answer = await api('graphql.json', { method: 'POST', body, signal: context.signal })
  const { data, errors = [] } = read(
    z.object({ data: z.record(z.string(), z.unknown()).nullish(), errors: z.array(z.unknown()).optional() }),
    answer.body,
  )
  if (errors.length > 0 || !data) throw new VendorApiError('REFUSED', 'The service refused the request')
  return data
}

async function change(
  context: Context,
  name: 'webhookSubscriptionCreate' | 'webhookSubscriptionUpdate',
  text: string,
  variables: object,
) {
  const webhookSubscription = { callbackUrl: context.address, format: 'JSON' }
  const data = await query(context, text, { ...variables, webhookSubscription })
  const { webhookSubscription: saved, userErrors } = read(changed, data[name])
  if (userErrors.length > 0 || !saved) throw new VendorApiError('REFUSED', 'The service refused the request')
  return { id: saved.id }
}

const saved = '{ webhookSubscription { id } userErrors { field message } }'

/**
 * Shopify: the webhook subscription of a shop to a topic. Shopify signs with the client secret of the app, which is the secret of
 * the endpoint. The token is an access token of the Admin API.
 *
 * @see https://shopify.dev/docs/api/admin-graphql/2025-01/mutations/webhookSubscriptionCreate
 * @see https://shopify.dev/docs/api/admin-graphql/unstable/mutations/webhookSubscriptionUpdate
 */
export const shopify: SubscriptionService<z.output<typeof parameters>> = {
  name: 'shopify',
  secret: 'none',
  parameters,
  async list(context, known) {
    const data = await query(
      context,
      'query list($topics: [WebhookSubscriptionTopic!]) { webhookSubscriptions(first: 100, topics: $topics) { nodes { id endpoint { ... on WebhookHttpEndpoint { callbackUrl } } } pageInfo { hasNextPage } } }',
      { topics: [context.parameters.topic] },
    )
    const { nodes, pageInfo } = read(list, data['webhookSubscriptions'])
    if (pageInfo.hasNextPage) throw tooMany()
    return nodes
      .filter(({ id, endpoint }) => endpoint.callbackUrl === context.address || id === known?.id)
      .map(({ id }) => ({ id }))
  },
  create: (context) =>
    change(
      context,
      'webhookSubscriptionCreate',
      `mutation create($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) ${saved} }`,
      { topic: context.parameters.topic },
    ),
  repair: (context, { id }) =>
    change(
      context,
      'webhookSubscriptionUpdate',
      `mutation update($id: ID!, $webhookSubscription: WebhookSubscriptionInput!) { webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) ${saved} }`,
      { id },
    ),
  async remove(context, { id }) {
    // An error of the user is an unknown id: the subscription was in the list.
    await query(
      context,
      'mutation remove($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } } }',
      { id },
    )
  },
}
