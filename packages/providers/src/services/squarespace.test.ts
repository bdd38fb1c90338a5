import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { squarespace } from './squarespace.ts'
import samples from './squarespace.samples.json' with { type: 'json' }

testService(runner, {
  provider: squarespace,
  samples,
  sign: ({ body, secret }) => ({
    'squarespace-signature': createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('hex'),
  }),
  secret: '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056',
})
