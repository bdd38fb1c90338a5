import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { line } from './line.ts'
import samples from './line.samples.json' with { type: 'json' }

testService(runner, {
  provider: line,
  samples,
  sign: ({ body, secret }) => ({
    'x-line-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
