import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { daily } from './daily.ts'
import samples from './daily.samples.json' with { type: 'json' }

testService(runner, {
  provider: daily,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const key = Buffer.from(secret, 'base64')
    const signature = createHmac('sha256', key).update(`${time}.${text}`).digest('base64')
    return { 'x-webhook-timestamp': time, 'x-webhook-signature': signature }
  },
  secret: btoa('the secret of the webhook'),
})
