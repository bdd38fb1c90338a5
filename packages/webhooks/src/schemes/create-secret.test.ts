import { expect, it } from 'vitest'
import { basicAuth, sharedToken } from './credentials.ts'
import { ed25519 } from './ed25519.ts'
import { hmac } from './hmac.ts'
import { base64Secret, hexSecret } from './keys.ts'
import { standardWebhooks } from './standard-webhooks.ts'

const options = { algorithm: 'sha256', encoding: 'hex', header: 'x-signature' } as const

it.each([
  ['hexadecimal', hmac(options), /^[0-9a-f]{64}$/],
  ['hexadecimal for decoded keys', hmac({ ...options, key: hexSecret('0x') }), /^[0-9a-f]{64}$/],
  ['base64', hmac({ ...options, key: base64Secret() }), /^[\w+/]{43}=$/],
  ['a prefix and base64', standardWebhooks(), /^whsec_[\w+/]{43}=$/],
  ['another prefix', standardWebhooks({ secretPrefix: 'v1,whsec_' }), /^v1,whsec_[\w+/]{43}=$/],
  ['hexadecimal as text', standardWebhooks({ secretEncoding: 'utf8' }), /^[0-9a-f]{64}$/],
  ['a token', sharedToken({ header: 'x-token' }), /^[0-9a-f]{64}$/],
  ['user and password', basicAuth(), /^sallyport:[0-9a-f]{64}$/],
])('creates a secret that signs and verifies: %s', async (_, scheme, form) => {
  const secret = scheme.createSecret?.() ?? ''
  expect(secret).toMatch(form)
  expect(scheme.createSecret?.()).not.toBe(secret)
  await scheme.checkSecret?.(secret)
  const unsigned = { method: 'POST', headers: new Headers(), body: new Uint8Array(1) }
  const headers = new Headers(await scheme.sign(unsigned, secret, Date.now()))
  expect(await scheme.verify({ ...unsigned, headers }, [secret], Date.now())).toMatchObject({
    verified: true,
  })
})

it('creates no secret for a public key of the service', () => {
  const scheme = ed25519({ header: 'x-signature', encoding: 'hex', keyEncoding: 'hex' })
  expect('createSecret' in scheme).toBe(false)
})
