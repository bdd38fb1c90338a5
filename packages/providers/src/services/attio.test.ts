import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { attio } from './attio.ts'
import samples from './attio.samples.json' with { type: 'json' }

testService(runner, {
  provider: attio,
  samples,
  sign: ({ body, secret }) => ({
    'attio-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
