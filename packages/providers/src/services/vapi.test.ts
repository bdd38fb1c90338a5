import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { vapi } from './vapi.ts'
import samples from './vapi.samples.json' with { type: 'json' }

testService(runner, {
  provider: vapi,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})
