import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { creem } from './creem.ts'
import samples from './creem.samples.json' with { type: 'json' }

testService(runner, {
  provider: creem,
  samples,
  sign: ({ body, secret }) => ({
    'creem-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
