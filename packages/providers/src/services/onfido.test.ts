import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { onfido } from './onfido.ts'
import samples from './onfido.samples.json' with { type: 'json' }

testService(runner, {
  provider: onfido,
  samples,
  sign: ({ body, secret }) => ({
    'x-sha2-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
