import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { tiktokShop } from './tiktok-shop.ts'
import samples from './tiktok-shop.samples.json' with { type: 'json' }

testService(runner, {
  provider: tiktokShop,
  samples,
  sign: ({ text, secret }) => {
    const [appKey = '', appSecret = ''] = secret.split(':')
    return {
      authorization: createHmac('sha256', appSecret)
        .update(appKey + text)
        .digest('hex'),
    }
  },
  secret: '6a6b7c:the-secret-of-the-app',
})
