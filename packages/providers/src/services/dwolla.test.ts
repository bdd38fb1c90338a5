import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { dwolla } from './dwolla.ts'
import samples from './dwolla.samples.json' with { type: 'json' }

testService(runner, {
  provider: dwolla,
  samples,
  sign: ({ body, secret }) => ({
    'x-request-signature-sha-256': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
