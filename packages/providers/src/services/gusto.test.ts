import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { gusto } from './gusto.ts'
import samples from './gusto.samples.json' with { type: 'json' }

testService(runner, {
  provider: gusto,
  samples,
  sign: ({ body, secret }) => ({
    'x-gusto-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
