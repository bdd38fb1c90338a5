import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { auth0 } from './auth0.ts'
import samples from './auth0.samples.json' with { type: 'json' }

testService(runner, {
  provider: auth0,
  samples,
  sign: ({ secret }) => ({ authorization: `Bearer ${secret}` }),
})
