import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { recharge } from './recharge.ts'
import samples from './recharge.samples.json' with { type: 'json' }

testService(runner, {
  provider: recharge,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return {
      'x-recharge-webhook-timestamp': time,
      'x-recharge-webhook-signature': `t=${time},v1=${signature}`,
    }
  },
})

it.each([
  ['charge.failed', 'charge/failed', { charge: { id: 1 }, customer: {} }],
  ['unknown', 'subscription/cancelled', { charge: { id: 1 } }],
  ['charge', undefined, { charge: { id: 1 } }],
])('has the kind %s under the topic %s', (kind, topic, payload) => {
  const headers = new Headers(topic === undefined ? {} : { 'x-recharge-topic': topic })
  const delivery = { payload, headers, body: new Uint8Array(), receivedAt: 0 }
  expect(recharge.normalize(delivery)).toMatchObject([{ kind, subject: '1' }])
})
