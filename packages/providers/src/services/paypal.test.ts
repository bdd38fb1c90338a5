import { testService } from '@sallyport/webhooks/testing'
import { createPrivateKey, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { certificate, privateKey } from '../../test/paypal-certificate.ts'
import { paypal } from './paypal.ts'
import samples from './paypal.samples.json' with { type: 'json' }

const webhookId = '1JE4291016473214C'
const id = 'paypal-transmission-id'

// The server of PayPal.
const server = vi.fn(() => Promise.resolve(new Response(certificate)))
beforeEach(() => {
  vi.stubGlobal('fetch', server)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function createSignature(body: Uint8Array, headers: (name: string) => string | null, secret: string) {
  const content = `${headers(id)}|${headers('paypal-transmission-time')}|${secret}|${crc32(body)}`
  const signature = sign('sha256', Buffer.from(content), createPrivateKey(privateKey)).toString('base64')
  return { 'paypal-transmission-sig': signature }
}

testService(runner, {
  // Only PayPal has the key.
  provider: {
    ...paypal,
    signature: {
      ...paypal.signature,
      sign: ({ body, headers }, secret) => createSignature(body, (name) => headers.get(name), secret),
    },
  },
  samples,
  secret: webhookId,
  sign: ({ body, headers, secret }) => createSignature(body, (name) => headers[name] ?? null, secret),
})

const [sample] = samples
async function verify(changes: Readonly<Record<string, string>> = {}, secret = webhookId) {
  const body = Buffer.from(JSON.stringify(sample?.body))
  const headers = new Headers({ ...sample?.headers, ...changes })
  const signed = createSignature(body, (name) => headers.get(name), webhookId)
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
  return paypal.signature.verify({ method: 'POST', headers, body }, [secret], Date.UTC(2026, 0))
}

it.each([
  'https://api.paypal.com.example.com/v1/notifications/certs/CERT-1',
  'https://www.paypal.com/v1/notifications/certs/CERT-1',
  'http://api.paypal.com/v1/notifications/certs/CERT-1',
  'https://api.paypal.com/v1/notifications/certs/CERT-1?a=b',
  'https://api.paypal.com/v1/notifications/certs/../x',
  'https://api.paypal.com@example.com/v1/notifications/certs/CERT-1',
  '',
])('requests no certificate from %s', async (url) => {
  server.mockClear()
  expect(await verify({ 'paypal-cert-url': url })).toMatchObject({ verified: false })
  expect(server).not.toHaveBeenCalled()
})

it('refuses the webhook id of another app', async () => {
  expect(await verify()).toMatchObject({ verified: true })
  expect(await verify({}, '1JE4291016473214D')).toMatchObject({ verified: false })
})
