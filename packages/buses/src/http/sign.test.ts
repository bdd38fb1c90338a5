import {
  basicAuth,
  bodyToken,
  defineProvider,
  ed25519,
  hmac,
  queryToken,
  querySignature,
  standardWebhooks,
  type AnyProvider,
  type SignatureScheme,
} from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { createProviderSigner, createStandardSigner } from './sign.ts'

const now = Date.UTC(2026, 0)
const body = new TextEncoder().encode('{"door":"front"}')
const request = {
  ...{ id: 'msg_1', body, provider: 'doorbell', headers: { 'x-kind': 'rung' } },
  url: new URL('https://backend.example.com/in?a=1'),
}
const create = (signature: SignatureScheme): AnyProvider =>
  defineProvider({ name: 'doorbell', signature, events: {}, normalize: () => [] })

describe('createProviderSigner', () => {
  it.each<[string, SignatureScheme, string]>([
    ['an HMAC', hmac({ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' }), 'secret'],
    [
      'Standard Webhooks',
      standardWebhooks({ prefix: 'svix' }),
      `whsec_${btoa('the secret of the destination')}`,
    ],
    ['Basic authentication', basicAuth(), 'user:password'],
    ['a token in the body', bodyToken('token'), 'secret'],
    ['a token in the query', queryToken('token'), 'secret'],
    [
      'a signature of the address in the query',
      hmac({
        ...{ algorithm: 'sha256', encoding: 'hex', header: querySignature('signature') },
        content: ({ body: content }) => [content],
      }),
      'secret',
    ],
  ])('signs by %s', async (_, signature, secret) => {
    const signed = await createProviderSigner(secret, [create(signature)])(request, now)
    expect(signed.headers['x-kind']).toBe('rung')
    expect(Object.keys(signed.headers).filter((name) => name !== name.toLowerCase())).toEqual([])
    const { url = request.url.href, headers, body: content } = signed
    const delivery = { method: 'POST', url, headers: new Headers(headers), body: content }
    expect(await signature.verify(delivery, [secret], now)).toMatchObject({ verified: true })
  })

  it('signs with the newest of several secrets', async () => {
    const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' })
    const { headers } = await createProviderSigner(['new', 'old'], [create(signature)])(request, now)
    const delivery = { method: 'POST', headers: new Headers(headers), body }
    expect(await signature.verify(delivery, ['new'], now)).toMatchObject({ verified: true })
  })

  it('refuses a provider with a private key at the start', () => {
    const signature = ed25519({ header: 'x-signature', encoding: 'hex', keyEncoding: 'hex' })
    expect(() => createProviderSigner('00', [create(signature)])).toThrow(
      new TypeError(
        "doorbell signs with a private key that only the service has: use sign: 'standard-webhooks'",
      ),
    )
  })

  it('refuses a secret that a provider cannot use at the start, without quoting it', () => {
    expect(() => createProviderSigner('the-secret', [create(basicAuth())])).toThrow(
      new TypeError('The secret of the destination cannot sign deliveries of doorbell'),
    )
  })

  it('ends with a delivery of another provider, and with one that the scheme cannot sign', async () => {
    const sign = createProviderSigner('secret', [create(bodyToken('token'))])
    await expect(sign({ ...request, provider: 'other' }, now)).rejects.toThrow(
      'providers of the destination has no other',
    )
    await expect(sign({ ...request, body: new Uint8Array([0xff]) }, now)).rejects.toThrow(
      'The delivery cannot be signed as doorbell does',
    )
  })
})

describe('createStandardSigner', () => {
  it.each([['whsec_'], [''], ['the secret'], [`whsk_${btoa('short')}`]])(
    'refuses the secret "%s"',
    (secret) => {
      expect(() => createStandardSigner(secret)).toThrow(/^secrets must be/)
    },
  )
})
