import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { adyenPlatform } from './adyen-platform.ts'
import samples from './adyen-platform.samples.json' with { type: 'json' }

testService(runner, {
  provider: adyenPlatform,
  samples,
  sign: ({ body, secret }) => ({
    hmacsignature: createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('base64'),
  }),
  secret: '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056',
})
