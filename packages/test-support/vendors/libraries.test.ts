import { verifyWebhook } from '@clerk/backend/webhooks'
import { LinearWebhookClient } from '@linear/sdk/webhooks'
import { verify as verifyGithub } from '@octokit/webhooks-methods'
import { Paddle } from '@paddle/paddle-node-sdk'
import { signDelivery, type Service } from '@sallyport/webhooks'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api'
import '@shopify/shopify-api/adapters/node'
import { WorkOS } from '@workos-inc/node'
import { verifyKey } from 'discord-interactions'
import { generateKeyPairSync } from 'node:crypto'
import { WebhooksHelper } from 'square'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import Telnyx from 'telnyx'
import twilioLibrary from 'twilio'
import { describe, expect, it } from 'vitest'
import { clerk } from '../../providers/src/services/clerk.ts'
import { discordInteractions } from '../../providers/src/services/discord-interactions.ts'
import { discord } from '../../providers/src/services/discord.ts'
import { github } from '../../providers/src/services/github.ts'
import { linear } from '../../providers/src/services/linear.ts'
import { paddle } from '../../providers/src/services/paddle.ts'
import { resend } from '../../providers/src/services/resend.ts'
import { sendgrid } from '../../providers/src/services/sendgrid.ts'
import { shopify } from '../../providers/src/services/shopify.ts'
import { square } from '../../providers/src/services/square.ts'
import { standardWebhooks } from '../../providers/src/services/standard-webhooks.ts'
import { stripe } from '../../providers/src/services/stripe.ts'
import { telnyx } from '../../providers/src/services/telnyx.ts'
import { twilio } from '../../providers/src/services/twilio.ts'
import { workos } from '../../providers/src/services/workos.ts'
import { getUrl, secret } from '../../providers/test/send.ts'

// The library of each vendor verifies what the provider signs, and refuses another body.

interface Signed {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
}

interface Case {
  readonly provider: Service
  readonly verify: (signed: Signed) => unknown
  readonly body?: string
  readonly signingSecret?: string
}

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ecPublic = ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const ecPrivate = ec.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const ed = generateKeyPairSync('ed25519')
const edPublic = ed.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const edPrivate = ed.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)

const get = (headers: Signed['headers'], name: string): string => headers[name] ?? ''

const verifyDiscord = async ({ text, headers }: Signed) =>
  verifyKey(
    text,
    get(headers, 'x-signature-ed25519'),
    get(headers, 'x-signature-timestamp'),
    edPublic.toString('hex'),
  )

const cases: readonly Case[] = [
  {
    provider: clerk,
    verify: async ({ text, headers, url }) =>
      verifyWebhook(new Request(url, { method: 'POST', body: text, headers }), { signingSecret: secret }),
  },
  { provider: discord, verify: verifyDiscord, signingSecret: edPrivate.toString('hex') },
  { provider: discordInteractions, verify: verifyDiscord, signingSecret: edPrivate.toString('hex') },
  {
    provider: github,
    verify: async ({ text, headers }) => verifyGithub(secret, text, get(headers, 'x-hub-signature-256')),
  },
  {
    provider: linear,
    body: JSON.stringify({ type: 'Issue', action: 'create', webhookTimestamp: Date.now() }),
    verify: ({ text, headers }) =>
      new LinearWebhookClient(secret).verify(Buffer.from(text), get(headers, 'linear-signature')),
  },
  {
    provider: paddle,
    verify: async ({ text, headers }) =>
      new Paddle('key').webhooks.isSignatureValid(text, secret, get(headers, 'paddle-signature')),
  },
  {
    provider: resend,
    verify: ({ text, headers }) => {
      new SvixWebhook(secret).verify(text, { ...headers })
    },
  },
  {
    provider: sendgrid,
    body: '[{"event":"open"}]',
    signingSecret: ecPrivate,
    verify({ text, headers }) {
      const library = new EventWebhook()
      return library.verifySignature(
        library.convertPublicKeyToECDSA(ecPublic),
        text,
        get(headers, 'x-twilio-email-event-webhook-signature'),
        get(headers, 'x-twilio-email-event-webhook-timestamp'),
      )
    },
  },
  {
    provider: shopify,
    async verify({ text, headers }) {
      const library = shopifyApi({
        apiKey: 'key',
        apiSecretKey: secret,
        apiVersion: ApiVersion.October25,
        isEmbeddedApp: false,
        hostName: 'hooks.example.com',
        logger: { level: LogSeverity.Error },
      })
      const named = {
        'x-shopify-topic': 'orders/create',
        'x-shopify-api-version': '2025-10',
        'x-shopify-shop-domain': 'example.myshopify.com',
        'x-shopify-webhook-id': 'b54557e4',
      }
      const rawRequest = { method: 'POST', url: '/', headers: { ...named, ...headers } }
      return (await library.webhooks.validate({ rawBody: text, rawRequest })).valid
    },
  },
  {
    provider: square,
    verify: async ({ text, headers, url }) =>
      WebhooksHelper.verifySignature({
        requestBody: text,
        signatureHeader: get(headers, 'x-square-hmacsha256-signature'),
        signatureKey: secret,
        notificationUrl: url,
      }),
  },
  {
    provider: standardWebhooks,
    verify: ({ text, headers }) => new StandardWebhook(secret).verify(text, { ...headers }),
  },
  {
    provider: stripe,
    verify: ({ text, headers }) =>
      Stripe.webhooks.constructEvent(text, get(headers, 'stripe-signature'), secret),
  },
  {
    provider: telnyx,
    signingSecret: edPrivate.toString('base64'),
    verify: async ({ text, headers }) =>
      new Telnyx({ apiKey: 'key', publicKey: edPublic.toString('base64') }).webhooks.unwrap(text, {
        headers: { ...headers },
      }),
  },
  {
    provider: twilio,
    body: 'To=%2B15550100001&From=%2B15550100002&Body=caf%C3%A9+%26+tea&MessageStatus=sent',
    verify: ({ text, headers, url }) =>
      twilioLibrary.validateRequest(
        secret,
        get(headers, 'x-twilio-signature'),
        url,
        Object.fromEntries(new URLSearchParams(text)),
      ),
  },
  {
    provider: workos,
    verify: async ({ text, headers }) =>
      new WorkOS('key', { clientId: 'client' }).webhooks.verifyHeader({
        payload: text,
        sigHeader: get(headers, 'workos-signature'),
        secret,
      }),
  },
]

describe.each(cases)('the library of $provider.name', ({ provider, verify, body, signingSecret }) => {
  const url = getUrl(provider)
  const isVerified = async (signed: Signed): Promise<boolean> => {
    try {
      return (await verify(signed)) !== false
    } catch {
      return false
    }
  }

  it('accepts a delivery that the provider signs, and no other body', async () => {
    const text = body ?? '{"type":"a.b","data":{"text":"café ☃"}}'
    const headers = new Headers({ 'webhook-id': 'msg_1', 'svix-id': 'msg_1' })
    const delivery = { method: 'POST', headers, body: Buffer.from(text), url }
    // Libraries compare the time with the clock.
    const signed = await signDelivery(provider.signature, delivery, signingSecret ?? secret, Date.now())
    const all = { ...Object.fromEntries(headers), ...signed.headers }
    const sent = Buffer.from(signed.body).toString()
    await verify({ text: sent, headers: all, url })
    expect(await isVerified({ text: sent, headers: all, url })).toBe(true)
    expect(await isVerified({ text: sent.replace('e', 'f'), headers: all, url })).toBe(false)
  })
})
