import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { webex } from './webex.ts'
import samples from './webex.samples.json' with { type: 'json' }

testService(runner, {
  provider: webex,
  samples,
  sign: ({ body, secret }) => ({
    'x-spark-signature': createHmac('sha1', secret).update(body).digest('hex'),
  }),
})
