import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { tally } from './tally.ts'
import samples from './tally.samples.json' with { type: 'json' }

testService(runner, {
  provider: tally,
  samples,
  sign: ({ body, secret }) => ({
    'tally-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
