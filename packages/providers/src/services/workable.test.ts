import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { workable } from './workable.ts'
import samples from './workable.samples.json' with { type: 'json' }

testService(runner, {
  provider: workable,
  samples,
  sign: ({ body, secret }) => ({
    'x-workable-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
