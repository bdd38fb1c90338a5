import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { veriff } from './veriff.ts'
import samples from './veriff.samples.json' with { type: 'json' }

testService(runner, {
  provider: veriff,
  samples,
  sign: ({ body, secret }) => ({
    'x-hmac-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
