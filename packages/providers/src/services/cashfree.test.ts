import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { cashfree } from './cashfree.ts'
import samples from './cashfree.samples.json' with { type: 'json' }

testService(runner, {
  provider: cashfree,
  samples,
  sign: ({ text, secret, now }) => ({
    'x-webhook-timestamp': String(now),
    'x-webhook-signature': createHmac('sha256', secret).update(`${now}${text}`).digest('base64'),
  }),
})
