import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { helpScout } from './help-scout.ts'
import samples from './help-scout.samples.json' with { type: 'json' }

testService(runner, {
  provider: helpScout,
  samples,
  sign: ({ body, secret }) => ({
    'x-helpscout-signature': createHmac('sha1', secret).update(body).digest('base64'),
  }),
})
