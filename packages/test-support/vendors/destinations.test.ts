import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createHttpDestination, type OriginalDestinationOptions } from '@sallyport/buses/http'
import { builtInProviders } from '@sallyport/providers'
import { github } from '@sallyport/providers/github'
import { clerk } from '@sallyport/providers/clerk'
import { stripe } from '@sallyport/providers/stripe'
import { twilio } from '@sallyport/providers/twilio'
import type { AnyProvider, DestinationMessage } from '@sallyport/webhooks'
import { verify as verifyGitHub } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import twilioLibrary from 'twilio'
import { expect, it, onTestFinished } from 'vitest'
import { createProviderSigner } from '../../buses/src/http/sign.ts'

const { signal } = new AbortController()
const secret = `whsec_${btoa('the secret of this destination..')}`
const text = '{"id":"evt_1","object":"event","text":"☃ $&"}'

type Verify = (body: Buffer, headers: IncomingHttpHeaders, url: string) => unknown

/** Sends a delivery to a server that answers 400 when the library of the vendor throws or returns false. */
async function deliver(
  provider: AnyProvider,
  verify: Verify,
  options: Partial<OriginalDestinationOptions> = {},
  content: { readonly type: string; readonly body: string } = { type: 'application/json', body: text },
) {
  let url = ''
  const server = createServer((request, response) => {
    void (async () => {
      try {
        if ((await verify(await buffer(request), request.headers, url)) === false) throw new Error('Refused')
        response.writeHead(204).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?a=1`
  const destination = createHttpDestination({
    ...{ url, mode: 'original', secrets: secret, network: { allowPrivate: true } },
    ...options,
  })
  onTestFinished(async () => {
    await destination.close()
    server.close()
  })
  const signatures = Object.fromEntries(provider.signature.headers.map((name) => [name, '[redacted]']))
  const event = { id: 'a', name: `${provider.name}/b`, subject: '', ts: 0, data: undefined }
  const message: DestinationMessage = {
    ...{ deliveryId: 'delivery-1', attempt: 1 },
    events: [{ ...event, source: { provider: provider.name, deliveryId: 'delivery-1', receivedAt: 0 } }],
    request: { headers: { ...signatures, 'content-type': content.type }, body: Buffer.from(content.body) },
  }
  return destination.send(message, signal)
}
const asProvider = (provider: AnyProvider) => ({ sign: 'provider', providers: [provider] }) as const
const flat = (headers: IncomingHttpHeaders) => headers as Record<string, string>

it("passes the verification of Stripe's library with the secret of the destination", async () => {
  const verify: Verify = (body, headers) =>
    Stripe.webhooks.constructEvent(body, headers['stripe-signature']!, secret)
  expect(await deliver(stripe, verify, asProvider(stripe))).toMatchObject({ outcome: 'done' })
})

it("passes the verification of GitHub's library", async () => {
  const verify: Verify = (body, headers) =>
    verifyGitHub(secret, body.toString(), flat(headers)['x-hub-signature-256']!)
  expect(await deliver(github, verify, asProvider(github))).toMatchObject({ outcome: 'done' })
})

it("passes the verification of Svix's library", async () => {
  const verify: Verify = (body, headers) => new SvixWebhook(secret).verify(body, flat(headers))
  expect(await deliver(clerk, verify, asProvider(clerk))).toMatchObject({ outcome: 'done' })
  expect(await deliver(clerk, verify)).toMatchObject({ outcome: 'done' })
})

it("passes the verification of Twilio's library, which signs the address of the destination", async () => {
  const content = { type: 'application/x-www-form-urlencoded', body: 'From=%2B1&Body=a' }
  const verify: Verify = (body, headers, url) =>
    twilioLibrary.validateRequest(
      ...([secret, flat(headers)['x-twilio-signature']!, url] as const),
      Object.fromEntries(new URLSearchParams(body.toString())),
    )
  expect(await deliver(twilio, verify, asProvider(twilio), content)).toMatchObject({ outcome: 'done' })
})

it('passes the verification of Standard Webhooks with each secret while they rotate', async () => {
  const older = `whsec_${btoa('the older secret of destination.')}`
  for (const one of [secret, older]) {
    const verify: Verify = (body, headers) => new Webhook(one).verify(body.toString(), flat(headers))
    expect(await deliver(stripe, verify, { secrets: [secret, older] })).toMatchObject({ outcome: 'done' })
  }
  const stranger: Verify = (body, headers) =>
    new Webhook(btoa('another secret')).verify(body.toString(), flat(headers))
  expect(await deliver(stripe, stranger)).toMatchObject({ outcome: 'retry', status: 400 })
})

it('refuses the services with private keys, and no other service', () => {
  const refused = builtInProviders.filter((provider) => {
    try {
      createProviderSigner(() => [secret], [provider])
      return false
    } catch {
      return true
    }
  })
  const isPrivate = ({ signature: { description } }: AnyProvider) =>
    /^(rsa|ecdsa|ed25519|sns|detached-jws|certificate-chain)$/.test(description?.scheme ?? '')
  expect(refused.map(({ name }) => name)).toEqual(
    expect.arrayContaining(builtInProviders.filter(isPrivate).map(({ name }) => name)),
  )
  expect(refused.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['discord', 'paypal', 'sns', 'plaid']),
  )
  expect(refused.length).toBeLessThan(30)
})
