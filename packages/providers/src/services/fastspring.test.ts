import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { fastspring } from './fastspring.ts'
import samples from './fastspring.samples.json' with { type: 'json' }

testService(runner, {
  provider: fastspring,
  samples,
  sign: ({ body, secret }) => ({
    'x-fs-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
