import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { square } from './square.ts'
import samples from './square.samples.json' with { type: 'json' }

testService(runner, {
  provider: square,
  samples,
  sign: ({ body, url, secret }) => ({
    'x-square-hmacsha256-signature': createHmac('sha256', secret).update(url).update(body).digest('base64'),
  }),
})
