import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { patreon } from './patreon.ts'
import samples from './patreon.samples.json' with { type: 'json' }

testService(runner, {
  provider: patreon,
  samples,
  sign: ({ body, secret }) => ({
    'x-patreon-signature': createHmac('md5', secret).update(body).digest('hex'),
  }),
})
