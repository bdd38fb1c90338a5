import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { checkr } from './checkr.ts'
import samples from './checkr.samples.json' with { type: 'json' }

testService(runner, {
  provider: checkr,
  samples,
  sign: ({ body, secret }) => ({
    'x-checkr-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
