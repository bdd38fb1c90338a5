import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { marqeta } from './marqeta.ts'
import samples from './marqeta.samples.json' with { type: 'json' }

testService(runner, {
  provider: marqeta,
  samples,
  sign: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
  secret: 'sallyport:44782def547aaa06c910',
})
