import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { quickbooks } from './quickbooks.ts'
import samples from './quickbooks.samples.json' with { type: 'json' }

testService(runner, {
  provider: quickbooks,
  samples,
  sign: ({ body, secret }) => ({
    'intuit-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
