import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { meta } from './meta.ts'
import samples from './meta.samples.json' with { type: 'json' }

testService(runner, {
  provider: meta,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
