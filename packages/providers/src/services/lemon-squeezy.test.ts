import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { lemonSqueezy } from './lemon-squeezy.ts'
import samples from './lemon-squeezy.samples.json' with { type: 'json' }

testService(runner, {
  provider: lemonSqueezy,
  samples,
  sign: ({ body, secret }) => ({
    'x-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
