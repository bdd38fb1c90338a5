import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { deel } from './deel.ts'
import samples from './deel.samples.json' with { type: 'json' }

testService(runner, {
  provider: deel,
  samples,
  sign: ({ text, secret }) => ({
    'x-deel-signature': createHmac('sha256', secret).update(`POST${text}`).digest('hex'),
  }),
})
