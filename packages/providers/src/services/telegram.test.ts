import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { telegram } from './telegram.ts'
import samples from './telegram.samples.json' with { type: 'json' }

testService(runner, {
  provider: telegram,
  samples,
  sign: ({ secret }) => ({ 'x-telegram-bot-api-secret-token': secret }),
})
