import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { front } from './front.ts'
import samples from './front.samples.json' with { type: 'json' }

testService(runner, {
  provider: front,
  samples,
  sign: ({ body, secret }) => ({
    'x-front-signature': createHmac('sha1', secret).update(body).digest('base64'),
  }),
})
