import { sign as signGitHub, verify as verifyGitHub } from '@octokit/webhooks-methods'
import { verifyKey } from 'discord-interactions'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import Stripe from 'stripe'
import twilio from 'twilio'
import { expect, it } from 'vitest'
import { ed25519 } from '../../webhooks/src/schemes/ed25519.ts'
import { hmac } from '../../webhooks/src/schemes/hmac.ts'
import { signedTime } from '../../webhooks/src/schemes/stamps.ts'
import { structuredHeader } from '../../webhooks/src/schemes/signature-header.ts'

const secret = 'a secret that both sides know'
const text = '{"id":"evt_1","object":"event","text":"☃ $&"}'
const body = new TextEncoder().encode(text)
const received = (headers: Readonly<Record<string, string>>) => ({
  method: 'POST',
  headers: new Headers(headers),
  body,
})
const bare = received({})

it("agrees with stripe's library in both directions", async () => {
  const scheme = hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('stripe-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime(),
    content: ({ timestamp, body: content }) => [timestamp, '.', content],
  })
  // The library uses the system clock.
  const now = Date.now()
  const theirs = Stripe.webhooks.generateTestHeaderString({
    payload: text,
    secret,
    timestamp: Math.floor(now / 1000),
  })
  expect(await scheme.verify(received({ 'stripe-signature': theirs }), [secret], now)).toEqual({
    verified: true,
    body,
  })
  const ours = await scheme.sign(bare, secret, now)
  expect(ours).toEqual({ 'stripe-signature': theirs })
  expect(Stripe.webhooks.constructEvent(text, ours['stripe-signature']!, secret)).toMatchObject({
    id: 'evt_1',
  })
})

it("agrees with GitHub's library in both directions", async () => {
  const header = 'x-hub-signature-256'
  const scheme = hmac({ algorithm: 'sha256', encoding: 'hex', header, prefix: 'sha256=' })
  const theirs = await signGitHub(secret, text)
  expect((await scheme.verify(received({ [header]: theirs }), [secret], 0)).verified).toBe(true)
  expect(await verifyGitHub(secret, text, (await scheme.sign(bare, secret, 0))[header]!)).toBe(true)
})

it("signs deliveries that Discord's library verifies", async () => {
  const scheme = ed25519({
    header: 'x-signature-ed25519',
    encoding: 'hex',
    timestamp: signedTime({ header: 'x-signature-timestamp' }),
    content: ({ timestamp, body: content }) => [timestamp, content],
    keyEncoding: 'hex',
  })
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const [open, hidden] = [
    publicKey.export({ type: 'spki', format: 'der' }),
    privateKey.export({ type: 'pkcs8', format: 'der' }),
  ].map((der) => der.subarray(-32).toString('hex'))
  const headers = await scheme.sign(bare, hidden!, 0)
  const now = 1_767_225_600_000
  const signed = await scheme.sign(bare, hidden!, now)
  expect((await scheme.verify(received(signed), [open!], now)).verified).toBe(true)
  const verdict = (one: Readonly<Record<string, string>>, content: Uint8Array) =>
    verifyKey(content, one['x-signature-ed25519']!, one['x-signature-timestamp']!, open!)
  expect(await verdict(headers, body)).toBe(true)
  expect(await verdict(headers, body.slice(1))).toBe(false)
})

it("agrees with Twilio's library on the addresses of a callback with an apostrophe", () => {
  const raw = "https://mycompany.com/myapp.php?foo=1&bar=2&Body=It's+amazing"
  for (const signed of [raw, new URL(raw).href]) {
    const signature = createHmac('sha1', '12345').update(`${signed}CallSidCA1`).digest('base64')
    expect(twilio.validateRequest('12345', signature, signed, { CallSid: 'CA1' }), signed).toBe(true)
  }
})
