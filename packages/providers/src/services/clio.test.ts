import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { clio } from './clio.ts'
import samples from './clio.samples.json' with { type: 'json' }

testService(runner, {
  provider: clio,
  samples,
  sign: ({ body, secret }) => ({
    'x-hook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
