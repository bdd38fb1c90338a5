import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { airwallex } from './airwallex.ts'
import samples from './airwallex.samples.json' with { type: 'json' }

testService(runner, {
  provider: airwallex,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`${time}${text}`).digest('hex')
    return { 'x-timestamp': time, 'x-signature': signature }
  },
})
