import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { customerIo } from './customer-io.ts'
import samples from './customer-io.samples.json' with { type: 'json' }

testService(runner, {
  provider: customerIo,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`v0:${time}:${text}`).digest('hex')
    return { 'x-cio-timestamp': time, 'x-cio-signature': signature }
  },
})
