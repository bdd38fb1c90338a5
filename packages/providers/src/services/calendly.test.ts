import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { calendly } from './calendly.ts'
import samples from './calendly.samples.json' with { type: 'json' }

testService(runner, {
  provider: calendly,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'calendly-webhook-signature': `t=${time},v1=${signature}` }
  },
})
