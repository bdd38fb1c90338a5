import { expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { doorbell, rung, secret } from '../../test/doorbell.ts'
import { compressed, hmac, standardWebhooks, type SignatureScheme } from '../index.ts'
import { verify } from './verify.ts'

const url = 'https://hooks.example/a?b=1'
const alternativeUrls = Array.from({ length: 9 }, (_, index) => `https://hooks.example/a?b=1&c=${index}`)
const sha256 = { algorithm: 'sha256', encoding: 'hex', header: 'x-signature' } as const
const raw = hmac(sha256)
const urlSigned = hmac({ ...sha256, content: ({ url, body }) => [url, body] })

/** Counts the verifications of a delivery with ten addresses. */
async function count(scheme: SignatureScheme, headers: Record<string, string>, body: Uint8Array = rung()) {
  let calls = 0
  const signature: SignatureScheme = {
    ...scheme,
    verify(...request) {
      calls += 1
      return scheme.verify(...request)
    },
  }
  const delivery = { method: 'POST', headers: new Headers(headers), body, url, alternativeUrls }
  const key = `whsec_${btoa(secret)}`
  const { verified } = await verify({ ...doorbell, signature }, delivery, [key], 0)
  return { calls, verified }
}

const forged = { 'x-signature': '0'.repeat(64) }

it('verifies once for a scheme that does not read the address', async () => {
  const once = { calls: 1, verified: false }
  expect(await count(raw, forged)).toEqual(once)
  const standard = { 'svix-id': '1', 'svix-timestamp': '0', 'svix-signature': `v1,${btoa('x'.repeat(32))}` }
  expect(await count(standardWebhooks(), standard)).toEqual(once)
  const inflated = compressed(raw, { signs: 'inflated' })
  expect(await count(inflated, { ...forged, 'content-encoding': 'gzip' }, gzipSync(rung()))).toEqual(once)
})

it('verifies with each address for a scheme that reads it', async () => {
  expect(await count(urlSigned, forged)).toEqual({ calls: 10, verified: false })
  const gzip = { ...forged, 'content-encoding': 'gzip' }
  const inflated = compressed(urlSigned, { signs: 'inflated' })
  expect(await count(inflated, gzip, gzipSync(rung()))).toEqual({ calls: 10, verified: false })
})

it('stops at the address that the service has signed', async () => {
  const delivery = { method: 'POST', headers: new Headers(), body: rung(), url: alternativeUrls[3]! }
  const headers = await urlSigned.sign(delivery, `whsec_${btoa(secret)}`, 0)
  expect(await count(urlSigned, { ...headers })).toEqual({ calls: 5, verified: true })
})
