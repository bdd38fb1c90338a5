import {
  createGateway,
  memoryInbox,
  signDelivery,
  staticSecrets,
  type Observation,
  type Service,
} from '@sallyport/webhooks'
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getUrl, now, secret, toBytes } from '../test/send.ts'
import ablySamples from './services/ably.samples.json' with { type: 'json' }
import { ably } from './services/ably.ts'
import acuitySamples from './services/acuity.samples.json' with { type: 'json' }
import { acuity } from './services/acuity.ts'
import commerceLayerSamples from './services/commerce-layer.samples.json' with { type: 'json' }
import { commerceLayer } from './services/commerce-layer.ts'
import dailySamples from './services/daily.samples.json' with { type: 'json' }
import { daily } from './services/daily.ts'
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
import hubspotSamples from './services/hubspot.samples.json' with { type: 'json' }
import { hubspot } from './services/hubspot.ts'
import intercomSamples from './services/intercom.samples.json' with { type: 'json' }
import { intercom } from './services/intercom.ts'
import lineSamples from './services/line.samples.json' with { type: 'json' }
import { line } from './services/line.ts'
import metaSamples from './services/meta.samples.json' with { type: 'json' }
import { meta } from './services/meta.ts'
import microsoftGraphSamples from './services/microsoft-graph.samples.json' with { type: 'json' }
import { microsoftGraph } from './services/microsoft-graph.ts'
import muxSamples from './services/mux.samples.json' with { type: 'json' }
import { mux } from './services/mux.ts'
import patreonSamples from './services/patreon.samples.json' with { type: 'json' }
import { patreon } from './services/patreon.ts'
import pipedriveSamples from './services/pipedrive.samples.json' with { type: 'json' }
import { pipedrive } from './services/pipedrive.ts'
import sanitySamples from './services/sanity.samples.json' with { type: 'json' }
import { sanity } from './services/sanity.ts'
import { sendbird } from './services/sendbird.ts'
import { sentry } from './services/sentry.ts'
import shopifySamples from './services/shopify.samples.json' with { type: 'json' }
import { shopify } from './services/shopify.ts'
import slackSamples from './services/slack.samples.json' with { type: 'json' }
import { slack } from './services/slack.ts'
import surgeSamples from './services/surge.samples.json' with { type: 'json' }
import { surge } from './services/surge.ts'
import tailscaleSamples from './services/tailscale.samples.json' with { type: 'json' }
import { tailscale } from './services/tailscale.ts'
import telnyxSamples from './services/telnyx.samples.json' with { type: 'json' }
import { telnyx } from './services/telnyx.ts'
import woocommerceSamples from './services/woocommerce.samples.json' with { type: 'json' }
import { woocommerce } from './services/woocommerce.ts'
import zendeskSamples from './services/zendesk.samples.json' with { type: 'json' }
import { zendesk } from './services/zendesk.ts'

const pair = generateKeyPairSync('ed25519')
const exportRaw = (key: Buffer) => key.subarray(-32).toString('base64')

/** The secret that verifies and the secret that signs, where the usual one has the wrong form. */
const secrets: Readonly<Record<string, readonly [string, string]>> = {
  daily: [btoa('secret'), btoa('secret')],
  pipedrive: ['sallyport:password', 'sallyport:password'],
  telnyx: [
    exportRaw(pair.publicKey.export({ format: 'der', type: 'spki' })),
    exportRaw(pair.privateKey.export({ format: 'der', type: 'pkcs8' })),
  ],
}

/** Opens an endpoint with its own inbox. */
function open(provider: Service) {
  const { name, signature } = provider
  const [verifying, signing] = secrets[name] ?? [secret, secret]
  let observed: Observation | undefined
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [name],
    secrets: staticSecrets({ [name]: [verifying] }),
    inbox: memoryInbox({ now: () => now }),
    now: () => now,
    observe: (observation) => (observed = observation),
  })
  return {
    deliver: async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const request = {
        method: 'POST',
        headers: new Headers(headers),
        body: toBytes(body),
        url: getUrl(provider),
      }
      const signed = await signDelivery(signature, request, signing, now)
      await gateway.handle({
        method: 'POST',
        provider: name,
        url: request.url,
        headers: new Headers({ ...headers, ...signed.headers }),
        readBody: (sink) => {
          sink.push(signed.body)
          return Promise.resolve()
        },
      })
      return observed?.outcome
    },
  }
}

interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

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

/** The sample of a kind. */
const pick = (samples: readonly (Sample & { readonly kind?: string })[], kind: string): Sample => {
  const found = samples.find((sample) => sample.kind === kind)
  if (found === undefined) throw new Error(`No sample of ${kind}`)
  return found
}

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

describe('attempts of one delivery', () => {
  it.each<readonly [string, Service, readonly Sample[], string, string]>([
    ['HubSpot', hubspot, hubspotSamples, '"attemptNumber":0', '"attemptNumber":1'],
    ['Telnyx', telnyx, telnyxSamples, '"attempt":1', '"attempt":2'],
    ['Intercom', intercom, intercomSamples, '"delivery_attempts":1', '"delivery_attempts":2'],
    ['LINE', line, lineSamples, '"isRedelivery":false', '"isRedelivery":true'],
    ['Pipedrive', pipedrive, pipedriveSamples, '"attempt":1', '"attempt":2'],
    ['Daily', daily, dailySamples, '"event_ts":17', '"event_ts":18'],
    ['Mux', mux, muxSamples, '"attempts":[]', '"attempts":[{"response_status_code":500}]'],
  ])('of %s are one event although their bodies differ', async (_, provider, samples, first, second) => {
    const { deliver } = open(provider)
    for (const { headers, body } of samples) {
      const text = JSON.stringify(body)
      const retry = text.replaceAll(first, second)
      expect(retry).not.toBe(text)
      const outcomes = [await deliver(text, headers), await deliver(retry, headers)]
      expect(outcomes).toEqual(['accepted', 'duplicate'])
    }
  })

  it.each<readonly [string, Service, readonly Sample[]]>([
    ['HubSpot', hubspot, hubspotSamples],
    ['LINE', line, lineSamples],
    ['Tailscale', tailscale, tailscaleSamples],
    ['Ably', ably, ablySamples],
  ])('of %s may have other events beside those of the first one', async (_, provider, [sample]) => {
    const { deliver } = open(provider)
    const body = sample?.body
    const [member = ''] = Array.isArray(body) ? [] : Object.keys(Object(body) as object).toReversed()
    const events = (member === '' ? body : (body as Record<string, unknown>)[member]) as unknown[]
    const send = (some: readonly unknown[]) =>
      deliver(member === '' ? some : { ...(body as object), [member]: some })
    const outcomes = []
    for (const some of [events.slice(1), events, events.toReversed(), events.slice(0, 1)])
      outcomes.push(await send(some))
    expect(outcomes).toEqual(['accepted', 'accepted', 'duplicate', 'duplicate'])
  })
})

describe('the retry headers of Slack', () => {
  const retried = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }
  const [first, other] = slackSamples

  it('do not suppress an event whose first attempt did not arrive', async () => {
    const { deliver } = open(slack)
    expect(await deliver(first?.body, retried)).toBe('accepted')
    expect(await deliver(first?.body)).toBe('duplicate')
  })

  it('do not suppress another event', async () => {
    const { deliver } = open(slack)
    expect([await deliver(first?.body), await deliver(other?.body, retried)]).toEqual([
      'accepted',
      'accepted',
    ])
  })
})
