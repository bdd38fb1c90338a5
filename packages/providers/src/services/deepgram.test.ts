import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { deepgram } from './deepgram.ts'
import samples from './deepgram.samples.json' with { type: 'json' }

testService(runner, {
  provider: deepgram,
  samples,
  secret: 'deepgram:a random text',
  sign: ({ secret }) => ({ authorization: `Basic ${btoa(secret)}` }),
})
