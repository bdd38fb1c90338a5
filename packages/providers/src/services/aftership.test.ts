import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { aftership } from './aftership.ts'
import samples from './aftership.samples.json' with { type: 'json' }

testService(runner, {
  provider: aftership,
  samples,
  sign: ({ body, secret }) => ({
    'aftership-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
