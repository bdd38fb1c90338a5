import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { ashby } from './ashby.ts'
import samples from './ashby.samples.json' with { type: 'json' }

testService(runner, {
  provider: ashby,
  samples,
  sign: ({ body, secret }) => ({
    'ashby-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
