import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { finicity } from './finicity.ts'
import samples from './finicity.samples.json' with { type: 'json' }

testService(runner, {
  provider: finicity,
  samples,
  sign: ({ body, secret }) => ({
    'x-finicity-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
