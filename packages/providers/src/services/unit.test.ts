import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { unit } from './unit.ts'
import samples from './unit.samples.json' with { type: 'json' }

testService(runner, {
  provider: unit,
  samples,
  sign: ({ body, secret }) => ({
    'x-unit-signature': createHmac('sha1', secret).update(body).digest('base64'),
  }),
})
