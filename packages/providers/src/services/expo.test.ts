import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { expo } from './expo.ts'
import samples from './expo.samples.json' with { type: 'json' }

testService(runner, {
  provider: expo,
  samples,
  sign: ({ body, secret }) => ({
    'expo-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  }),
})
