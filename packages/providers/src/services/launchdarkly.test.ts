import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { launchdarkly } from './launchdarkly.ts'
import samples from './launchdarkly.samples.json' with { type: 'json' }

testService(runner, {
  provider: launchdarkly,
  samples,
  sign: ({ body, secret }) => ({ 'x-ld-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})
