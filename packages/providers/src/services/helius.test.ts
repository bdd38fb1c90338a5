import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { helius } from './helius.ts'
import samples from './helius.samples.json' with { type: 'json' }

testService(runner, {
  provider: helius,
  samples,
  sign: ({ secret }) => ({ authorization: secret }),
})
