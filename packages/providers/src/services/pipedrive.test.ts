import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { pipedrive } from './pipedrive.ts'
import samples from './pipedrive.samples.json' with { type: 'json' }

testService(runner, {
  provider: pipedrive,
  samples,
  sign: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
  secret: 'sallyport:44782def547aaa06c910',
})
