import type { Service } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { open, pick, type Sample } from '../test/endpoint.ts'
import acuitySamples from './services/acuity.samples.json' with { type: 'json' }
import { acuity } from './services/acuity.ts'
import commerceLayerSamples from './services/commerce-layer.samples.json' with { type: 'json' }
import { commerceLayer } from './services/commerce-layer.ts'
import discourseSamples from './services/discourse.samples.json' with { type: 'json' }
import { discourse } from './services/discourse.ts'
import dropboxSamples from './services/dropbox.samples.json' with { type: 'json' }
import { dropbox } from './services/dropbox.ts'
import fitbitSamples from './services/fitbit.samples.json' with { type: 'json' }
import { fitbit } from './services/fitbit.ts'
import giteaSamples from './services/gitea.samples.json' with { type: 'json' }
import { gitea } from './services/gitea.ts'
import githubSamples from './services/github.samples.json' with { type: 'json' }
import { github } from './services/github.ts'
import gitlabTokenSamples from './services/gitlab-token.samples.json' with { type: 'json' }
import { gitlabToken } from './services/gitlab-token.ts'
import { helpScout } from './services/help-scout.ts'
import metaSamples from './services/meta.samples.json' with { type: 'json' }
import { meta } from './services/meta.ts'
import microsoftGraphSamples from './services/microsoft-graph.samples.json' with { type: 'json' }
import { microsoftGraph } from './services/microsoft-graph.ts'
import patreonSamples from './services/patreon.samples.json' with { type: 'json' }
import { patreon } from './services/patreon.ts'
import sanitySamples from './services/sanity.samples.json' with { type: 'json' }
import { sanity } from './services/sanity.ts'
import { sendbird } from './services/sendbird.ts'
import { sentry } from './services/sentry.ts'
import shopifySamples from './services/shopify.samples.json' with { type: 'json' }
import { shopify } from './services/shopify.ts'
import surgeSamples from './services/surge.samples.json' with { type: 'json' }
import { surge } from './services/surge.ts'
import woocommerceSamples from './services/woocommerce.samples.json' with { type: 'json' }
import { woocommerce } from './services/woocommerce.ts'
import zendeskSamples from './services/zendesk.samples.json' with { type: 'json' }
import { zendesk } from './services/zendesk.ts'

describe('deliveries with identical bytes', () => {
  it.each<readonly [string, Service, readonly Sample[]]>([
    ['Dropbox', dropbox, dropboxSamples],
    ['Acuity', acuity, acuitySamples],
    ['Fitbit', fitbit, fitbitSamples],
  ])('are different changes of %s', async (_, provider, samples) => {
    for (const { headers, body } of samples) {
      const { deliver } = open(provider)
      const outcomes = [await deliver(body, headers), await deliver(body, headers)]
      expect(outcomes).toEqual(['accepted', 'accepted'])
    }
  })
})

/** A member of a team of GitHub. The body has no time. */
const membership: Sample = {
  headers: { 'x-github-event': 'membership' },
  body: { action: 'added', scope: 'team', member: { login: 'alice' }, team: { id: 1, name: 'Shop' } },
}

/** A member of a channel of Sendbird. The body has no time. */
const joined: Sample = {
  headers: {},
  body: { category: 'group_channel:join', users: [{ user_id: 'alice' }], channel: { name: 'Shop' } },
}

// Regression: the second one was lost as a duplicate.
describe('a delivery with the body of another one', () => {
  it.each<readonly [string, Service, Sample]>([
    ['a like of Discourse', discourse, pick(discourseSamples, 'post_liked')],
    [
      'a template of Meta',
      meta,
      pick(metaSamples, 'whatsapp_business_account.message_template_status_update'),
    ],
    [
      'the lifecycle of Graph',
      microsoftGraph,
      pick(microsoftGraphSamples, 'lifecycle.reauthorizationRequired'),
    ],
    ['a member of Sendbird', sendbird, joined],
    ['a member of Patreon', patreon, pick(patreonSamples, 'members.pledge.create')],
    ['an action of WooCommerce', woocommerce, pick(woocommerceSamples, 'action.woocommerce_add_to_cart')],
  ])('is another event of %s', async (_, provider, { headers, body }) => {
    const { deliver } = open(provider)
    expect([await deliver(body, headers), await deliver(body, headers)]).toEqual(['accepted', 'accepted'])
  })

  it.each<readonly [string, Service, Sample, string]>([
    ['a dispatch of GitHub', github, pick(githubSamples, 'workflow_dispatch'), 'x-github-delivery'],
    ['a member of GitHub', github, membership, 'x-github-delivery'],
    ['a wiki of Gitea', gitea, pick(giteaSamples, 'wiki.edited'), 'x-gitea-delivery'],
    ['a push of GitLab', gitlabToken, pick(gitlabTokenSamples, 'push'), 'idempotency-key'],
    ['a deletion of Sanity', sanity, pick(sanitySamples, 'delete.article'), 'idempotency-key'],
    ['a deletion of Shopify', shopify, pick(shopifySamples, 'products.delete'), 'x-shopify-webhook-id'],
    ['an order of Shopify', shopify, pick(shopifySamples, 'orders.create'), 'x-shopify-webhook-id'],
    ['a contact of Surge', surge, pick(surgeSamples, 'contact.opted_out'), 'webhook-id'],
    ['a trigger of Zendesk', zendesk, pick(zendeskSamples, 'unknown'), 'x-zendesk-webhook-invocation-id'],
  ])('is another event of %s with another id only', async (_, provider, { headers, body }, name) => {
    const { deliver } = open(provider)
    const outcomes = []
    for (const id of ['one', 'one', 'two']) outcomes.push(await deliver(body, { ...headers, [name]: id }))
    const changed = { ...(body as object), added: true }
    outcomes.push(await deliver(changed, { ...headers, [name]: 'one' }))
    expect(outcomes).toEqual(['accepted', 'duplicate', 'accepted', 'accepted'])
  })

  // Regression: names that the list left out had one id.
  it.each<readonly [string, Service, unknown, string, readonly [string, string, string]]>([
    [
      'Commerce Layer',
      commerceLayer,
      pick(commerceLayerSamples, 'orders.place').body,
      'x-commercelayer-topic',
      ['orders.cancel', 'orders.refund', 'orders.invented'],
    ],
    [
      'Help Scout',
      helpScout,
      { id: 1, folderId: 2, updatedAt: '2026-01-01T12:00:00Z' },
      'x-helpscout-event',
      ['convo.ai-answers.created', 'convo.ai-answers-email.resolution', 'convo.invented'],
    ],
    [
      'Sentry',
      sentry,
      { action: 'triggered', data: { id: 1 } },
      'sentry-hook-resource',
      ['activity_alert', 'preprod_artifact', 'invented'],
    ],
  ])('is another event of %s with another name', async (_, provider, body, header, names) => {
    const { deliver } = open(provider)
    const outcomes = []
    for (const name of [...names, 'also_invented']) outcomes.push(await deliver(body, { [header]: name }))
    expect(outcomes).toEqual(['accepted', 'accepted', 'accepted', 'duplicate'])
  })

  it('is not the message that a customer unsends', async () => {
    const { deliver } = open(meta)
    const { body } = pick(metaSamples, 'instagram.message')
    const text = JSON.stringify(body).replace('"is_deleted":true', '"text":"Hello"')
    expect([await deliver(text), await deliver(body)]).toEqual(['accepted', 'accepted'])
  })
})
