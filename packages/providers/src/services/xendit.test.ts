import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { xendit } from './xendit.ts'
import samples from './xendit.samples.json' with { type: 'json' }

testService(runner, {
  provider: xendit,
  samples,
  sign: ({ secret }) => ({ 'x-callback-token': secret }),
})
