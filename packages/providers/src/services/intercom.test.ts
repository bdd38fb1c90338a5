import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { intercom } from './intercom.ts'
import samples from './intercom.samples.json' with { type: 'json' }

testService(runner, {
  provider: intercom,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  }),
})
