import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { alchemy } from './alchemy.ts'
import samples from './alchemy.samples.json' with { type: 'json' }

testService(runner, {
  provider: alchemy,
  samples,
  sign: ({ body, secret }) => ({
    'x-alchemy-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
