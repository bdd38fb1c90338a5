import { testService } from '@sallyport/webhooks/testing'
import { createPrivateKey, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import chain from '../../test/app-store-chain.json' with { type: 'json' }
import { appStore } from './app-store.ts'
import samples from './app-store.samples.json' with { type: 'json' }

const bundleId = 'com.example.app'

/** Signs without jose. */
function signBody(body: Uint8Array): Uint8Array {
  const header = JSON.stringify({ alg: 'ES256', x5c: chain.key.x5c })
  const input = [Buffer.from(header), Buffer.from(body)].map((part) => part.toString('base64url')).join('.')
  const key = createPrivateKey({ key: chain.key, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return Buffer.from(JSON.stringify({ signedPayload: `${input}.${signature.toString('base64url')}` }))
}

// The test chain replaces the root of Apple.
const { signature } = appStore
const withRoot = {
  ...signature,
  verify: (delivery, secrets, now) =>
    signature.verify(delivery, secrets.length > 0 ? [...secrets, chain.root] : [], now),
} satisfies typeof signature

testService(runner, {
  provider: { ...appStore, signature: withRoot },
  samples,
  secret: bundleId,
  signingSecret: JSON.stringify(chain.key),
  sign: ({ body }) => ({ headers: {}, body: signBody(body) }),
})

const verifyClaims = async (claims: unknown, secrets = [bundleId, chain.root]) => {
  const body = signBody(Buffer.from(JSON.stringify(claims)))
  const delivery = { method: 'POST', headers: new Headers(), body }
  return (await signature.verify(delivery, secrets, Date.UTC(2026, 0))).verified
}

it('refuses a notification of another app', async () => {
  expect(await verifyClaims({ notificationType: 'TEST', data: { bundleId } })).toBe(true)
  expect(await verifyClaims({ notificationType: 'TEST', data: { bundleId: 'com.example.other' } })).toBe(
    false,
  )
})

it('refuses the signed transaction of a customer', async () => {
  expect(await verifyClaims({ bundleId, transactionId: '2000000000000001' })).toBe(false)
})

it('trusts only the root of Apple without another root among the secrets', async () => {
  expect(await verifyClaims({ notificationType: 'TEST', data: { bundleId } }, [bundleId])).toBe(false)
})
