import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { brevo } from './brevo.ts'
import samples from './brevo.samples.json' with { type: 'json' }

testService(runner, {
  provider: brevo,
  samples,
  sign: ({ secret }) => ({ authorization: `Bearer ${secret}` }),
})
