import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { checkoutCom } from './checkout-com.ts'
import samples from './checkout-com.samples.json' with { type: 'json' }

testService(runner, {
  provider: checkoutCom,
  samples,
  sign: ({ body, secret }) => ({
    'cko-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
