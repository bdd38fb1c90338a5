import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { sendbird } from './sendbird.ts'
import samples from './sendbird.samples.json' with { type: 'json' }

testService(runner, {
  provider: sendbird,
  samples,
  sign: ({ body, secret }) => ({
    'x-sendbird-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
