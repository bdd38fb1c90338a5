import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { postmark } from './postmark.ts'
import samples from './postmark.samples.json' with { type: 'json' }

testService(runner, {
  provider: postmark,
  samples,
  sign: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
  secret: 'sallyport:44782def547aaa06c910',
})
