import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { x } from './x.ts'
import samples from './x.samples.json' with { type: 'json' }

testService(runner, {
  provider: x,
  samples,
  sign: ({ body, secret }) => ({
    'x-twitter-webhooks-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
  }),
})
