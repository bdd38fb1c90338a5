import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { paystack } from './paystack.ts'
import samples from './paystack.samples.json' with { type: 'json' }

testService(runner, {
  provider: paystack,
  samples,
  sign: ({ body, secret }) => ({
    'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex'),
  }),
})
