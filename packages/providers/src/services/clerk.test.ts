import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { clerk } from './clerk.ts'
import samples from './clerk.samples.json' with { type: 'json' }

testService(runner, {
  provider: clerk,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['svix-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'svix-timestamp': time, 'svix-signature': `v1,${signature}` }
  },
})

it('verifies the published example of Standard Webhooks', async () => {
  const headers = new Headers({
    'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'svix-timestamp': '1614265330',
    'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"test": 2432232314}') }
  expect(
    await clerk.signature.verify(delivery, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 1614265330000),
  ).toMatchObject({ verified: true })
})
