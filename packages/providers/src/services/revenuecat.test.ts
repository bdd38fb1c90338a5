import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { revenuecat } from './revenuecat.ts'
import samples from './revenuecat.samples.json' with { type: 'json' }

testService(runner, {
  provider: revenuecat,
  samples,
  sign: ({ secret }) => ({ authorization: secret }),
})
