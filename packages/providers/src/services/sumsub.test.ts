import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { sumsub } from './sumsub.ts'
import samples from './sumsub.samples.json' with { type: 'json' }

testService(runner, {
  provider: sumsub,
  samples,
  sign: ({ body, secret }) => ({
    'x-payload-digest': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
