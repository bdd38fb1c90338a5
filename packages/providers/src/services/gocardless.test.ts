import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { gocardless } from './gocardless.ts'
import samples from './gocardless.samples.json' with { type: 'json' }

testService(runner, {
  provider: gocardless,
  samples,
  sign: ({ body, secret }) => ({
    'webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
