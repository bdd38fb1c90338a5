import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { datadog } from './datadog.ts'
import samples from './datadog.samples.json' with { type: 'json' }

testService(runner, {
  provider: datadog,
  samples,
  sign: ({ secret }) => ({ 'x-webhook-token': secret }),
})
