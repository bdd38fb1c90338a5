import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { polarAccesslink } from './polar-accesslink.ts'
import samples from './polar-accesslink.samples.json' with { type: 'json' }

testService(runner, {
  provider: polarAccesslink,
  samples,
  sign: ({ body, secret }) => ({
    'polar-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
