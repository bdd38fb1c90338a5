import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { hibob } from './hibob.ts'
import samples from './hibob.samples.json' with { type: 'json' }

testService(runner, {
  provider: hibob,
  samples,
  sign: ({ body, secret }) => ({
    'bob-signature': createHmac('sha512', secret).update(body).digest('base64'),
  }),
})
