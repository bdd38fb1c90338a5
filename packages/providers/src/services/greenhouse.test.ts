import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { greenhouse } from './greenhouse.ts'
import samples from './greenhouse.samples.json' with { type: 'json' }

testService(runner, {
  provider: greenhouse,
  samples,
  sign: ({ body, secret }) => ({
    signature: `sha256 ${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
