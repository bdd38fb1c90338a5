import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { flutterwave } from './flutterwave.ts'
import samples from './flutterwave.samples.json' with { type: 'json' }

testService(runner, {
  provider: flutterwave,
  samples,
  sign: ({ body, secret }) => ({
    'flutterwave-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
