import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { doppler } from './doppler.ts'
import samples from './doppler.samples.json' with { type: 'json' }

testService(runner, {
  provider: doppler,
  samples,
  sign: ({ body, secret }) => ({
    'x-doppler-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
