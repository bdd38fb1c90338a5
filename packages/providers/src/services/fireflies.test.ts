import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { fireflies } from './fireflies.ts'
import samples from './fireflies.samples.json' with { type: 'json' }

testService(runner, {
  provider: fireflies,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
