import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { zoom } from './zoom.ts'
import samples from './zoom.samples.json' with { type: 'json' }

testService(runner, {
  provider: zoom,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`v0:${time}:${text}`).digest('hex')
    return { 'x-zm-request-timestamp': time, 'x-zm-signature': `v0=${signature}` }
  },
})
