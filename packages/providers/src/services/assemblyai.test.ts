import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { assemblyai } from './assemblyai.ts'
import samples from './assemblyai.samples.json' with { type: 'json' }

testService(runner, {
  provider: assemblyai,
  samples,
  sign: ({ secret }) => ({ 'x-webhook-secret': secret }),
})
