import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mollie } from './mollie.ts'
import samples from './mollie.samples.json' with { type: 'json' }

testService(runner, {
  provider: mollie,
  samples,
  sign: ({ body, secret }) => ({
    'x-mollie-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
