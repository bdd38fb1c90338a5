import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { youtube } from './youtube.ts'
import samples from './youtube.samples.json' with { type: 'json' }

testService(runner, {
  provider: youtube,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  }),
})
