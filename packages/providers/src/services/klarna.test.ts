import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { klarna } from './klarna.ts'
import samples from './klarna.samples.json' with { type: 'json' }

testService(runner, {
  provider: klarna,
  samples,
  sign: ({ body, secret }) => ({
    'klarna-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
