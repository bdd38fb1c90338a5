import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { cloudflareNotifications } from './cloudflare-notifications.ts'
import samples from './cloudflare-notifications.samples.json' with { type: 'json' }

testService(runner, {
  provider: cloudflareNotifications,
  samples,
  sign: ({ secret }) => ({ 'cf-webhook-auth': secret }),
})
