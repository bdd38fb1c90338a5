import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { typeform } from './typeform.ts'
import samples from './typeform.samples.json' with { type: 'json' }

testService(runner, {
  provider: typeform,
  samples,
  sign: ({ body, secret }) => ({
    'typeform-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
  }),
})
