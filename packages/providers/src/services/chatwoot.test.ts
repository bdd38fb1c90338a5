import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { chatwoot } from './chatwoot.ts'
import samples from './chatwoot.samples.json' with { type: 'json' }

testService(runner, {
  provider: chatwoot,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'x-chatwoot-timestamp': time, 'x-chatwoot-signature': `sha256=${signature}` }
  },
})
