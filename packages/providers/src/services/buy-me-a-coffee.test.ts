import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { buyMeACoffee } from './buy-me-a-coffee.ts'
import samples from './buy-me-a-coffee.samples.json' with { type: 'json' }

testService(runner, {
  provider: buyMeACoffee,
  samples,
  sign: ({ body, secret }) => ({
    'x-signature-sha256': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
