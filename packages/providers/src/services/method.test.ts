import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { method } from './method.ts'
import samples from './method.samples.json' with { type: 'json' }

testService(runner, {
  provider: method,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}:${text}`).digest('hex')
    return { 'method-webhook-timestamp': time, 'method-webhook-signature': signature }
  },
})
