import {
  createGateway,
  getTrust,
  createMemoryInbox,
  staticSecrets,
  type Service,
  type ValueSource,
} from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { loadServices } from '../scripts/load.ts'
import { bitbucket } from './services/bitbucket.ts'
import { commerceLayer } from './services/commerce-layer.ts'
import { discourse } from './services/discourse.ts'
import { gitea } from './services/gitea.ts'
import { github } from './services/github.ts'
import { helpScout } from './services/help-scout.ts'
import { netlify } from './services/netlify.ts'
import { patreon } from './services/patreon.ts'
import { recharge } from './services/recharge.ts'
import { sanity } from './services/sanity.ts'
import { sentry } from './services/sentry.ts'
import { shopify } from './services/shopify.ts'
import { snyk } from './services/snyk.ts'
import { woocommerce } from './services/woocommerce.ts'

const secret = 'a secret of the service'

interface Answer {
  readonly status: string
  readonly events?: readonly { readonly name: string; readonly duplicate: boolean }[]
}

/**
 * Sends one signed body, with one id of the delivery, under each kind, which an unsigned header names. Returns the last result
 * of each kind.
 */
async function sendUnder(provider: Service, header: string, body: unknown, kinds: readonly string[]) {
  const { name, signature } = provider
  const { deliveryId } = provider.service
  const repeated = typeof deliveryId === 'object' ? { [deliveryId.header]: 'one' } : {}
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const gateway = createGateway({
    providers: [provider],
    secrets: staticSecrets({ [name]: [secret] }),
    inbox: createMemoryInbox(),
  })
  const signed = await signature.sign(
    { method: 'POST', headers: new Headers(), body: bytes },
    secret,
    Date.now(),
  )
  const results = new Map<string, string>()
  for (const kind of kinds) {
    const { body: text } = await gateway.handle({
      method: 'POST',
      provider: name,
      headers: new Headers({ ...signed, ...repeated, 'x-discourse-event-type': 'post', [header]: kind }),
      readBody: (sink) => {
        sink.push(bytes)
        return Promise.resolve()
      },
    })
    const { status, events = [] } = (JSON.parse(text) as { data: Answer }).data
    const isUnknown = events[0]?.name.endsWith('/unknown')
    results.set(kind, isUnknown ? 'unknown' : events[0]?.duplicate ? 'duplicate' : status)
  }
  return Object.fromEntries(results)
}

const all = (kinds: readonly string[], result: string) =>
  Object.fromEntries(kinds.map((kind) => [kind, result]))

const order = { id: 1, admin_graphql_api_id: 'gid://shopify/Order/1', line_items: [] }
const shop = { id: 1, myshopify_domain: 'a.myshopify.com' }
const redaction = { shop_id: 1, shop_domain: 'a.myshopify.com', customer: { id: 1 }, orders_to_redact: [] }
const deploy = { id: 'd', state: 'ready', deploy_url: 'https://d' }
const clOrder = { data: { type: 'orders', id: 'yzkWXfgHQS' } }
const wcOrder = { id: 1, line_items: [], billing: {} }

it.each([
  [
    'an order of Shopify',
    shopify,
    'x-shopify-topic',
    order,
    'orders/create orders/paid',
    'app/uninstalled customers/redact shop/redact products/update orders/delete',
  ],
  [
    'a filtered body of Shopify',
    shopify,
    'x-shopify-topic',
    { id: 1, note: '' },
    'orders/create',
    'app/uninstalled customers/redact shop/redact customers/data_request',
  ],
  [
    'an id of Shopify',
    shopify,
    'x-shopify-topic',
    { id: 1 },
    'products/delete orders/delete',
    'orders/create app/uninstalled customers/redact',
  ],
  [
    'a profile of Shopify',
    shopify,
    'x-shopify-topic',
    { id: 2 },
    'profiles/create profiles/update profiles/delete',
    'products/update',
  ],
  [
    'a shop of Shopify',
    shopify,
    'x-shopify-topic',
    shop,
    'app/uninstalled shop/update',
    'shop/redact orders/create',
  ],
  [
    'a redaction of Shopify',
    shopify,
    'x-shopify-topic',
    redaction,
    'customers/redact',
    'shop/redact customers/data_request customers/update',
  ],
  [
    'an order of WooCommerce',
    woocommerce,
    'x-wc-webhook-topic',
    wcOrder,
    'order.created order.updated',
    'order.deleted product.updated customer.created coupon.created',
  ],
  [
    'an order of the old API of WooCommerce',
    woocommerce,
    'x-wc-webhook-topic',
    { order: { id: 1, line_items: [] } },
    'order.created order.updated',
    'order.deleted product.created',
  ],
  [
    'a deploy of Netlify',
    netlify,
    'x-netlify-event',
    deploy,
    'deploy_created deploy_deleted',
    'deploy_failed deploy_building submission_created',
  ],
  [
    'a conversation of Help Scout',
    helpScout,
    'x-helpscout-event',
    { id: 1, folderId: 2 },
    'convo.created convo.deleted',
    'customer.created satisfaction.ratings',
  ],
  [
    'an order of Commerce Layer',
    commerceLayer,
    'x-commercelayer-topic',
    clOrder,
    'orders.place orders.pay',
    'customers.create returns.approve',
  ],
  [
    'a member of Patreon',
    patreon,
    'x-patreon-event',
    { data: { type: 'member', id: '1' } },
    'members:create members:pledge:delete',
    'posts:publish pledges:create',
  ],
  [
    'a charge of Recharge',
    recharge,
    'x-recharge-topic',
    { charge: { id: 1 }, customer: { id: 2 } },
    'charge/paid charge/failed',
    'customer/created recharge/uninstalled',
  ],
] as const)(
  'makes %s under a kind of another form unknown',
  async (_, provider, header, body, same, other) => {
    const [accepted, unknown] = [same.split(' '), other.split(' ')]
    expect(await sendUnder(provider, header, body, [...accepted, ...unknown])).toEqual({
      ...all(accepted, 'accepted'),
      ...all(unknown, 'unknown'),
    })
  },
)

// Regression: the hash of the body was the id, so that the second event was lost as a duplicate.
it('accepts one body under two kinds of its form', async () => {
  const { id, line_items } = order
  const body = { id, line_items, note: 'without a time' }
  expect(await sendUnder(shopify, 'x-shopify-topic', body, ['orders/create', 'orders/paid'])).toEqual({
    'orders/create': 'accepted',
    'orders/paid': 'accepted',
  })
})

const capture = { repository: { full_name: 'a/b' } }

// Regression: the kind of an invented name was a part of the id, so that one capture was any number of new events. A body
// that can repeat is a new event anyway.
const invented = [
  ['Bitbucket', bitbucket, 'x-event-key', { ...capture, issue: {} }, 'issue:created', 'issue:zz'],
  ['Commerce Layer', commerceLayer, 'x-commercelayer-topic', clOrder, 'orders.place', 'orders.zz'],
  [
    'Discourse',
    discourse,
    'x-discourse-event',
    { post: { updated_at: '2026-01-01' } },
    'post_created',
    'post_zz',
  ],
  ['Gitea', gitea, 'x-gitea-event', capture, 'repository', 'zz'],
  ['GitHub', github, 'x-github-event', { ...capture, action: 'started' }, 'watch', 'zz'],
  ['GitHub with a member', github, 'x-github-event', { ...capture, release: {} }, 'release', 'zz'],
  ['Help Scout', helpScout, 'x-helpscout-event', { id: 1, folderId: 2 }, 'convo.created', 'convo.zz'],
  ['Netlify', netlify, 'x-netlify-event', deploy, 'deploy_created', 'deploy_zz'],
  ['Patreon', patreon, 'x-patreon-event', { data: { type: 'post', id: '1' } }, 'posts:publish', 'posts:zz'],
  ['Sanity', sanity, 'sanity-operation', { _id: 'a', _type: 'article', _rev: '1' }, 'create', 'zz'],
  ['Sentry', sentry, 'sentry-hook-resource', { action: 'created', data: {} }, 'seer', 'zz'],
  [
    'Shopify',
    shopify,
    'x-shopify-topic',
    { ...order, updated_at: '2026-01-01' },
    'orders/create',
    'orders/zz',
  ],
  [
    'Snyk',
    snyk,
    'x-snyk-event',
    { project: {}, newIssues: [] },
    'project_snapshot/v0',
    'project_snapshot/zz',
  ],
  [
    'WooCommerce',
    woocommerce,
    'x-wc-webhook-topic',
    { ...wcOrder, date_modified_gmt: '2026-01-01' },
    'order.created',
    'order.zz',
  ],
] as const
it.each(invented)(
  'makes one event of all unlisted kinds of %s',
  async (_, provider, header, body, listed, other) => {
    const others = ['1', '2', '3'].map((end) => other + end)
    expect(await sendUnder(provider, header, body, [listed, ...others, listed])).toEqual({
      ...all([listed, ...others], 'duplicate'),
      [`${other}1`]: 'accepted',
    })
  },
)

// Regression: the check of the header did not match a spelling that has the same kind.
it.each([
  ['x-shopify-topic', shopify, { id: 1, note: '' }, 'app/uninstalled/ app.uninstalled /app/uninstalled'],
  ['x-event-key', bitbucket, { pullrequest: {}, comment: {} }, 'repo.push repo::push'],
  ['x-github-event', github, { before: 'a', after: 'b' }, 'pull_request.opened push.'],
] as const)('makes an altered name in %s unknown', async (header, provider, body, names) => {
  const altered = names.split(' ')
  expect(await sendUnder(provider, header, body, altered)).toEqual(all(altered, 'unknown'))
})

/** Lists the headers that a source reads from a delivery with an empty body. */
function listHeaders(source: ValueSource): readonly string[] {
  if (typeof source !== 'function') return typeof source === 'object' ? [source.header] : []
  const names: string[] = []
  const record = (name: string) => {
    names.push(name)
    return null
  }
  const headers = Object.assign(new Headers(), { get: record })
  source({}, { payload: {}, headers, body: new Uint8Array(), receivedAt: 0 })
  return names
}

/** A new service of this list needs a row in both tables above, or a check of its own, and a trap on its page. */
it('lists the services whose kind is in an unsigned header', async () => {
  const unsigned = (await loadServices()).filter(({ provider }) => {
    const { signedHeaders = [], signedIds = [] } = provider.signature
    const sources = [provider.service.kind].flat()
    const isUnsigned = (source: ValueSource) =>
      listHeaders(source).some((header) => ![...signedHeaders, ...signedIds].includes(header))
    return getTrust(provider) === 'signed' && sources.some(isUnsigned)
  })
  expect(unsigned.map(({ provider }) => provider.name)).toEqual([
    ...[
      'bitbucket',
      'commerce-layer',
      'discourse',
      'gitea',
      'github',
      'help-scout',
      'netlify',
      'patreon',
      'recharge',
      'sanity',
      'sentry',
    ],
    ...['shopify', 'snyk', 'woocommerce'],
  ])
  // Each delivery of Recharge is a new event.
  expect([...new Set(invented.map(([, { name }]) => name))]).toEqual(
    unsigned.map(({ provider }) => provider.name).filter((name) => name !== 'recharge'),
  )
  for (const { provider, facts } of unsigned) {
    expect(facts.traps?.join(' '), provider.name).toMatch(/header .*not signed|not signed/)
  }
})
