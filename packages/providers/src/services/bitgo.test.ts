import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { bitgo } from './bitgo.ts'
import samples from './bitgo.samples.json' with { type: 'json' }

testService(runner, {
  provider: bitgo,
  samples,
  sign: ({ body, secret }) => ({
    'x-signature-sha256': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
