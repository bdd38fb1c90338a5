import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { huggingFace } from './hugging-face.ts'
import samples from './hugging-face.samples.json' with { type: 'json' }

testService(runner, {
  provider: huggingFace,
  samples,
  sign: ({ secret }) => ({ 'x-webhook-secret': secret }),
})
