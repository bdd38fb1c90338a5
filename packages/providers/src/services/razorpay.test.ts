import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { razorpay } from './razorpay.ts'
import samples from './razorpay.samples.json' with { type: 'json' }

testService(runner, {
  provider: razorpay,
  samples,
  sign: ({ body, secret }) => ({
    'x-razorpay-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
