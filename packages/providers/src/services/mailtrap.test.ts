import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mailtrap } from './mailtrap.ts'
import samples from './mailtrap.samples.json' with { type: 'json' }

testService(runner, {
  provider: mailtrap,
  samples,
  sign: ({ body, secret }) => ({
    'mailtrap-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
