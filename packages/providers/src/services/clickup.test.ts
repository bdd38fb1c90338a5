import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { clickup } from './clickup.ts'
import samples from './clickup.samples.json' with { type: 'json' }

testService(runner, {
  provider: clickup,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})
