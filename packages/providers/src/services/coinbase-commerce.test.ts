import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { coinbaseCommerce } from './coinbase-commerce.ts'
import samples from './coinbase-commerce.samples.json' with { type: 'json' }

testService(runner, {
  provider: coinbaseCommerce,
  samples,
  sign: ({ body, secret }) => ({
    'x-cc-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
