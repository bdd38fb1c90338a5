import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { ramp } from './ramp.ts'
import samples from './ramp.samples.json' with { type: 'json' }

testService(runner, {
  provider: ramp,
  samples,
  sign: ({ body, secret }) => ({
    'x-ramp-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
