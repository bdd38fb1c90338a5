import { createGateway, staticSecrets } from '@sallyport/webhooks'
import { testService } from '@sallyport/webhooks/testing'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { privateKey } from '../../test/paypal-certificate.ts'
import { runner } from '../../test/runner.ts'
import { googlePubsub } from './google-pubsub.ts'
import samples from './google-pubsub.samples.json' with { type: 'json' }

const account = 'push@myproject.iam.gserviceaccount.com'
const audience = 'https://hooks.example.com/webhooks/google-pubsub'
const secret = `${account}:${audience}`
const now = Date.UTC(2026, 0)

// The key set of Google.
beforeEach(() => {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ keys: [{ ...jwk, kid: 'k1', alg: 'RS256', use: 'sig' }] })),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(at: number, claims: object = {}): string {
  const iat = at / 1000
  const usual = { iss: 'https://accounts.google.com', aud: audience, email: account, email_verified: true }
  const payload = { ...usual, iat, exp: iat + 3600, ...claims }
  const content = `${encode({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${encode(payload)}`
  return `${content}.${sign('sha256', Buffer.from(content), createPrivateKey(privateKey)).toString('base64url')}`
}

testService(runner, {
  // Only Google has the key.
  provider: {
    ...googlePubsub,
    signature: {
      ...googlePubsub.signature,
      sign: (_, __, at) => ({ authorization: `Bearer ${createToken(at)}` }),
    },
  },
  samples,
  secret,
  sign: ({ now: at }) => ({ authorization: `Bearer ${createToken(at)}` }),
})

const verify = async (claims: object, at = now) => {
  const headers = new Headers({ authorization: `Bearer ${createToken(now, claims)}` })
  const delivery = { method: 'POST', headers, body: Buffer.from('{}') }
  return (await googlePubsub.signature.verify(delivery, [secret], at)).verified
}

it.each([
  { aud: 'https://other.example.com' },
  { email: 'push@other.iam.gserviceaccount.com' },
  { email: undefined },
  { email_verified: false },
  { iss: 'https://accounts.example.com' },
])('refuses a token with %j', async (claims) => {
  expect(await verify({})).toBe(true)
  expect(await verify(claims)).toBe(false)
})

it('accepts a token that Google repeats within an hour, and refuses it after its end', async () => {
  expect(await verify({}, now + 50 * 60_000)).toBe(true)
  expect(await verify({}, now + 3 * 3_600_000)).toBe(false)
})

describe('a push without a wrapper', () => {
  const metadata = {
    'x-goog-pubsub-message-id': '7',
    'x-goog-pubsub-subscription-name': 'projects/p/subscriptions/s',
    'x-goog-pubsub-publish-time': '2026-01-01T10:00:00Z',
  }

  async function open() {
    const ids: string[] = []
    const gateway = createGateway({
      providers: [googlePubsub],
      allowUnsigned: ['google-pubsub'],
      secrets: staticSecrets({ 'google-pubsub': [secret] }),
      now: () => now,
      publisher: {
        publish: async (events) => {
          ids.push(...events.map(({ id }) => id))
          return events.map(() => ({ ok: true as const }))
        },
      },
    })
    return async (body: string, headers: Readonly<Record<string, string>>) => {
      const { status } = await gateway.handle({
        method: 'POST',
        provider: 'google-pubsub',
        headers: new Headers({ ...headers, authorization: `Bearer ${createToken(now)}` }),
        readBody: async (sink) => {
          sink.push(new TextEncoder().encode(body))
        },
      })
      return [status, ids.at(-1)]
    }
  }

  it.each(['{"order":1}', '{"message":"shipped"}', '[]', 'null', 'order 1 shipped', ''])(
    'is an event: %j',
    async (body) => {
      const deliver = await open()
      const first = await deliver(body, metadata)
      expect(first[0]).toBe(200)
      expect(await deliver(body, metadata)).toEqual(first)
      expect(await deliver(body, { ...metadata, 'x-goog-pubsub-message-id': '8' })).not.toEqual(first)
    },
  )

  it('is another event in each delivery without metadata', async () => {
    const deliver = await open()
    const [, first] = await deliver('{"order":1}', {})
    const [, second] = await deliver('{"order":1}', {})
    expect(new Set([first, second, undefined]).size).toBe(3)
  })
})

it('gives another attempt with a wrapper the same id', () => {
  const [, sample] = samples
  const keys = [1, 2].map((deliveryAttempt) => {
    const payload = { ...sample?.body, deliveryAttempt }
    const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: now }
    return googlePubsub.normalize(delivery)[0]?.content
  })
  expect(keys[0]).toBeDefined()
  expect(keys[1]).toBe(keys[0])
})
