import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { cursor } from './cursor.ts'
import samples from './cursor.samples.json' with { type: 'json' }

testService(runner, {
  provider: cursor,
  samples,
  sign: ({ body, secret }) => ({
    'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
