import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { discourse } from './discourse.ts'
import samples from './discourse.samples.json' with { type: 'json' }

testService(runner, {
  provider: discourse,
  samples,
  sign: ({ body, secret }) => ({
    'x-discourse-event-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
