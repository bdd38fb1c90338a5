import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { viber } from './viber.ts'
import samples from './viber.samples.json' with { type: 'json' }

testService(runner, {
  provider: viber,
  samples,
  sign: ({ body, secret }) => ({
    'x-viber-content-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
