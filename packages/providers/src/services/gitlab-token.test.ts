import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { gitlabToken } from './gitlab-token.ts'
import samples from './gitlab-token.samples.json' with { type: 'json' }

testService(runner, {
  provider: gitlabToken,
  samples,
  sign: ({ secret }) => ({ 'x-gitlab-token': secret }),
})
