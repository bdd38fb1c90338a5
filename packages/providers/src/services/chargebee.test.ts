import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { chargebee } from './chargebee.ts'
import samples from './chargebee.samples.json' with { type: 'json' }

testService(runner, {
  provider: chargebee,
  samples,
  sign: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
  secret: 'webhook:the password of the webhook',
})
