import { createAgreement, hasOnly, readPath, type AgreementRule } from './agreement.ts'

/** The topics of a resource by the type in `admin_graphql_api_id`, which is signed. Other types have no rule. */
const topicsOfTypes: readonly (readonly [type: string, topics: RegExp])[] = [
  // The body of a deleted order or product has only an id.
  ['Order', /^orders\/(?!delete$)/],
  ['Product', /^products\/(?!delete$)/],
  ['Customer', /^customers(?:\/(?!redact$|data_request$)|_)/],
  ['DraftOrder', /^draft_orders\//],
  ['Collection', /^collections\//],
  ['Fulfillment', /^fulfillments\//],
  ['Refund', /^refunds\//],
  ['OrderTransaction', /^order_transactions\//],
  ['InventoryItem', /^inventory_items\//],
  ['InventoryLevel', /^inventory_levels\//],
  ['Location', /^locations\//],
  ['SubscriptionContract', /^subscription_contracts\//],
]

const hasType =
  (type: string) =>
  (payload: unknown): boolean =>
    String(readPath(payload, 'admin_graphql_api_id')).startsWith(`gid://shopify/${type}/`)

const rules: readonly AgreementRule[] = [
  ['orders_to_redact', /^customers\/redact$/],
  ['orders_requested', /^customers\/data_request$/],
  ['shop_id shop_domain', /^shop\/redact$/],
  ['app_subscription', /^app_subscriptions\//],
  ['myshopify_domain', /^(?:app\/uninstalled|shop\/update)$/],
  ...topicsOfTypes.map(([type, topics]): AgreementRule => [hasType(type), topics]),
  ['line_items', /^(?:orders|draft_orders|checkouts|carts|fulfillments|returns)\/(?!delete$)/],
  ['variants', /^products\/(?!delete$)/],
  [hasOnly('id'), /\/delete$|^profiles\//],
]

/** The topics that end the access of a shop, change its plan or erase data need a body of their own form. */
const decisive =
  /^(?:app\/uninstalled$|app_subscriptions\/|shop\/redact$|customers\/(?:redact|data_request)$)/

/**
 * Reports whether the topic in the unsigned header can belong to the signed body. A subscription can select the members of its
 * bodies: another body passes, except under a topic that ends access or erases data.
 */
export const agreesWithTopic = createAgreement('x-shopify-topic', rules, decisive)

/** Reports whether a signed body is an event of the next generation, which names its topic, action and subscription. */
export const isEvent = (payload: unknown): boolean =>
  ['topic', 'action', 'handle'].every((member) => typeof readPath(payload, member) === 'string')
