import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { zendesk } from './zendesk.ts'
import samples from './zendesk.samples.json' with { type: 'json' }

testService(runner, {
  provider: zendesk,
  samples,
  sign: ({ text, secret, now }) => {
    const time = new Date(now).toISOString()
    const signature = createHmac('sha256', secret).update(`${time}${text}`).digest('base64')
    return { 'x-zendesk-webhook-signature-timestamp': time, 'x-zendesk-webhook-signature': signature }
  },
})
