import { generateKeyPairSync } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../index.ts'
import { standardWebhooks, type StandardWebhooksOptions } from './standard-webhooks.ts'

const secret = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`
const text = '{"type":"user.created","data":{"name":"☃ $&"}}'
const body = new TextEncoder().encode(text)
const delivery = (headers: Readonly<Record<string, string>> = {}, content = body): Delivery => ({
  method: 'POST',
  headers: new Headers(headers),
  body: content,
})

describe.each([
  ['standardwebhooks', 'webhook', secret, {}, new Webhook(secret)],
  ['svix', 'svix', secret, { prefix: 'svix' }, new SvixWebhook(secret)],
  [
    'standardwebhooks with a raw key',
    'webhook',
    'polar_whs_text',
    { secretEncoding: 'utf8' },
    new Webhook('polar_whs_text', { format: 'raw' }),
  ],
] as const satisfies readonly [string, string, string, StandardWebhooksOptions, unknown][])(
  'the library %s',
  (_, prefix, key, options, library) => {
    const scheme = standardWebhooks(options)

    it('verifies our signature', async () => {
      // The library uses the system clock.
      const headers = { ...(await scheme.sign(delivery(), key, Date.now())) }
      expect(Object.keys(headers).toSorted()).toEqual(
        ['id', 'signature', 'timestamp'].map((name) => `${prefix}-${name}`),
      )
      expect(() => library.verify(text, headers)).not.toThrow()
      expect(() => library.verify(`${text} `, headers)).toThrow()
    })

    it('creates a signature that we verify', async () => {
      const now = Date.UTC(2026, 0)
      const headers = {
        [`${prefix}-id`]: 'msg_1',
        [`${prefix}-timestamp`]: String(now / 1000),
        [`${prefix}-signature`]: library.sign('msg_1', new Date(now), text),
      }
      expect(await scheme.verify(delivery(headers), [key], now)).toMatchObject({ verified: true, body })
    })
  },
)

describe('standardWebhooks', () => {
  const pair = generateKeyPairSync('ed25519')
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const seed = pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32)
  const keyPair = {
    verify: `whpk_${publicKey.toString('base64')}`,
    sign: `whsk_${Buffer.concat([seed, publicKey]).toString('base64')}`,
  }
  const scheme = standardWebhooks({ newId: () => 'msg_new' })

  it('keeps the id of a delivery and creates an id for a new delivery', async () => {
    expect(await scheme.sign(delivery({ 'webhook-id': 'msg_own' }), secret, 0)).toMatchObject({
      'webhook-id': 'msg_own',
    })
    expect(await scheme.sign(delivery(), secret, 0)).toMatchObject({ 'webhook-id': 'msg_new' })
  })

  it('matches the example of the specification', async () => {
    const example = new TextEncoder().encode('{"test": 2432232314}')
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect((await scheme.verify(delivery(headers, example), [key], 1_614_265_330_000)).verified).toBe(true)
  })

  it('accepts a signature of either algorithm with secrets of both', async () => {
    const secrets = [keyPair.verify, secret]
    const symmetric = await scheme.sign(delivery(), secret, 1000)
    const asymmetric = await scheme.sign(delivery(), keyPair.sign, 1000)
    const both = `${asymmetric['webhook-signature'] ?? ''} v2,unknown ${symmetric['webhook-signature'] ?? ''}`
    for (const signature of [symmetric['webhook-signature'], asymmetric['webhook-signature'], both]) {
      const headers = { ...symmetric, 'webhook-signature': signature! }
      expect((await scheme.verify(delivery(headers), secrets, 1000)).verified).toBe(true)
      expect((await scheme.verify(delivery(headers, body.slice(1)), secrets, 1000)).verified).toBe(false)
    }
    expect(asymmetric['webhook-signature']).toMatch(/^v1a,/)
    const later = await scheme.verify(delivery(symmetric), secrets, 400_000)
    expect(later).toEqual({ verified: false, reason: 'expired' })
    const foreign = await scheme.sign(delivery(), `whsec_${Buffer.from('another').toString('base64')}`, 1000)
    expect(await scheme.verify(delivery(foreign), secrets, 1000)).toEqual({
      verified: false,
      reason: 'mismatch',
    })
    await expect(scheme.verify(delivery(foreign), [...secrets, 'whsec_x'], 1000)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    expect((await scheme.verify(delivery(symmetric), [...secrets, 'whpk_x', 'whsec_x'], 1000)).verified).toBe(
      true,
    )
  })

  it('does not use a public key as a shared secret', async () => {
    const forged = standardWebhooks({ secretEncoding: 'utf8' })
    for (const key of [keyPair.verify, keyPair.verify.slice(5)]) {
      const headers = await forged.sign(delivery(), key, 1000)
      const verification = await scheme.verify(delivery(headers), [keyPair.verify], 1000)
      expect(verification).toEqual({ verified: false, reason: 'malformed' })
    }
  })

  describe('with the prefix of Svix', () => {
    const svix = standardWebhooks({ prefix: 'svix', newId: () => 'msg_new' })
    const renamed = (headers: Readonly<Record<string, string>>, prefix: string) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.replace(/^\w+/, prefix), value]),
      )

    // Regression: the scheme rejected these headers, which the SDK of Svix accepts.
    it('verifies webhook-* headers', async () => {
      const headers = await scheme.sign(delivery(), secret, 1000)
      expect(await svix.verify(delivery(headers), [secret], 1000)).toMatchObject({ verified: true, body })
      expect(await svix.verify(delivery(headers, body.slice(1)), [secret], 1000)).toMatchObject({
        verified: false,
      })
      expect(() => {
        new SvixWebhook(secret).verify(text, renamed(headers, 'webhook'))
      }).toThrow(/too old/)
    })

    it('returns the verified headers with the names of Svix', async () => {
      const headers = await svix.sign(delivery(), secret, 1000)
      for (const sent of [headers, renamed(headers, 'webhook'), renamed(headers, 'Webhook')]) {
        const verification = await svix.verify(
          delivery({ ...sent, 'content-type': 'application/json' }),
          [secret],
          1000,
        )
        const verified = new Map('headers' in verification ? verification.headers : [])
        expect(verified).toEqual(new Map(Object.entries({ ...headers, 'content-type': 'application/json' })))
      }
    })

    it('rejects different headers of both prefixes', async () => {
      const own = await svix.sign(delivery(), secret, 1000)
      const other = renamed(own, 'webhook')
      for (const name of Object.keys(own)) {
        const partial = Object.fromEntries(Object.entries(own).filter(([one]) => one !== name))
        expect(await svix.verify(delivery({ ...partial, ...other }), [secret], 1000), name).toEqual({
          verified: false,
          reason: 'malformed',
        })
      }
      for (const name of Object.keys(other)) {
        const headers = { ...own, ...other, [name]: `${other[name]!}1` }
        expect(await svix.verify(delivery(headers), [secret], 1000), name).toEqual({
          verified: false,
          reason: 'malformed',
        })
      }
      expect(await svix.verify(delivery({ ...own, ...other }), [secret], 1000)).toMatchObject({
        verified: true,
      })
    })

    it('lists the signatures of both prefixes, and the signed headers by their verified names', () => {
      expect(svix.headers).toEqual(expect.arrayContaining(['svix-signature', 'webhook-signature']))
      expect(svix.signedHeaders).toEqual(['svix-timestamp', 'svix-id'])
      expect(svix.signedIds).toEqual(['svix-id'])
    })
  })

  it('rejects an id with a dot', async () => {
    const headers = await scheme.sign(delivery({ 'webhook-id': 'a.1' }), secret, 1000)
    expect(await scheme.verify(delivery(headers), [secret], 1000)).toEqual({
      verified: false,
      reason: 'malformed',
    })
  })
})
