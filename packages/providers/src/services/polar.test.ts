import { testService } from '@sallyport/webhooks/testing'
import { createHmac, type BinaryLike } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { polar } from './polar.ts'
import samples from './polar.samples.json' with { type: 'json' }

function sign(key: BinaryLike, id: string, body: Uint8Array, now: number) {
  const time = String(Math.floor(now / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
}

const decode = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

testService(runner, {
  provider: polar,
  samples,
  sign: ({ body, headers, secret, now }) => sign(decode(secret), headers['webhook-id'] ?? '', body, now),
})

const now = Date.UTC(2026, 0)
const body = Buffer.from('{"type":"order.paid"}')
const current = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const unpadded = `whsec_${'q'.repeat(43)}`

it.each([
  ['the bytes after the prefix', current, decode(current)],
  ['the text of a secret that is base64', current, current],
  ['the text of a secret that is not base64', unpadded, unpadded],
])('verifies a signature with %s', async (_, secret, key) => {
  const delivery = { method: 'POST', headers: new Headers(sign(key, 'e-1', body, now)), body }
  expect(await polar.signature.verify(delivery, [secret], now)).toMatchObject({ verified: true })
  expect(await polar.signature.verify(delivery, ['other', secret], now)).toMatchObject({ verified: true })
  const others = [unpadded.replaceAll('q', 'r'), `whsec_${Buffer.alloc(32, 8).toString('base64')}`]
  expect(await polar.signature.verify(delivery, others, now)).toEqual({ verified: false, reason: 'mismatch' })
})

it.each([current, unpadded])('verifies its own signature with %s', async (secret) => {
  const delivery = { method: 'POST', headers: new Headers({ 'webhook-id': 'e-1' }), body }
  const headers = new Headers(await polar.signature.sign(delivery, secret, now))
  expect(await polar.signature.verify({ ...delivery, headers }, [secret], now)).toMatchObject({
    verified: true,
  })
})
