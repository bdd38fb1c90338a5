import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { calCom } from './cal-com.ts'
import samples from './cal-com.samples.json' with { type: 'json' }

testService(runner, {
  provider: calCom,
  samples,
  sign: ({ body, secret }) => ({
    'x-cal-signature-256': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
