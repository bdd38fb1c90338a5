import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { acuity } from './acuity.ts'
import samples from './acuity.samples.json' with { type: 'json' }

testService(runner, {
  provider: acuity,
  samples,
  sign: ({ body, secret }) => ({
    'x-acuity-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
