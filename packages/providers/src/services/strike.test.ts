import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { strike } from './strike.ts'
import samples from './strike.samples.json' with { type: 'json' }

testService(runner, {
  provider: strike,
  samples,
  sign: ({ body, secret }) => {
    const hash = createHmac('sha256', secret).update(body)
    return { 'x-webhook-signature': hash.digest('hex') }
  },
})
