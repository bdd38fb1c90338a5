import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { crisp } from './crisp.ts'
import samples from './crisp.samples.json' with { type: 'json' }

testService(runner, {
  provider: crisp,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`[${time};${text}]`).digest('hex')
    return { 'x-crisp-request-timestamp': time, 'x-crisp-signature': signature }
  },
})
