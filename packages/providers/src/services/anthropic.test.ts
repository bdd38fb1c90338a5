import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { anthropic } from './anthropic.ts'
import samples from './anthropic.samples.json' with { type: 'json' }

testService(runner, {
  provider: anthropic,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})

it('verifies the published example of Standard Webhooks', async () => {
  const headers = new Headers({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"test": 2432232314}') }
  expect(
    await anthropic.signature.verify(delivery, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 1614265330000),
  ).toMatchObject({ verified: true })
})
