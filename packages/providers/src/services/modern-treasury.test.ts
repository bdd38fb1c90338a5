import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { modernTreasury } from './modern-treasury.ts'
import samples from './modern-treasury.samples.json' with { type: 'json' }

testService(runner, {
  provider: modernTreasury,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})
