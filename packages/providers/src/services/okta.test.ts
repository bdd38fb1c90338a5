import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { okta } from './okta.ts'
import samples from './okta.samples.json' with { type: 'json' }

testService(runner, {
  provider: okta,
  samples,
  sign: ({ secret }) => ({ authorization: secret }),
})
