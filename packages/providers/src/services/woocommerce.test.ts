import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { woocommerce } from './woocommerce.ts'
import samples from './woocommerce.samples.json' with { type: 'json' }

testService(runner, {
  provider: woocommerce,
  samples,
  sign: ({ body, secret }) => ({
    'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
