import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { pylon } from './pylon.ts'
import samples from './pylon.samples.json' with { type: 'json' }

testService(runner, {
  provider: pylon,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'pylon-webhook-timestamp': time, 'pylon-webhook-signature': `hs256=${signature}` }
  },
})
