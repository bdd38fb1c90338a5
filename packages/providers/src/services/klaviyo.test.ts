import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { klaviyo } from './klaviyo.ts'
import samples from './klaviyo.samples.json' with { type: 'json' }

testService(runner, {
  provider: klaviyo,
  samples,
  sign: ({ text, headers, secret }) => ({
    'klaviyo-signature': createHmac('sha256', secret)
      .update(`${text}${headers['klaviyo-timestamp']}`)
      .digest('hex'),
  }),
})
