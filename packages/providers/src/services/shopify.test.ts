import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { shopify } from './shopify.ts'
import samples from './shopify.samples.json' with { type: 'json' }

testService(runner, {
  provider: shopify,
  samples,
  sign: ({ body, secret }) => ({
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
