import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { wistia } from './wistia.ts'
import samples from './wistia.samples.json' with { type: 'json' }

testService(runner, {
  provider: wistia,
  samples,
  sign: ({ body, secret }) => ({
    'x-wistia-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
