import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { whoop } from './whoop.ts'
import samples from './whoop.samples.json' with { type: 'json' }

testService(runner, {
  provider: whoop,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`${time}${text}`).digest('base64')
    return { 'x-whoop-signature-timestamp': time, 'x-whoop-signature': signature }
  },
})
