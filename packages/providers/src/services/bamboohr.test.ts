import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { bamboohr } from './bamboohr.ts'
import samples from './bamboohr.samples.json' with { type: 'json' }

testService(runner, {
  provider: bamboohr,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${text}${time}`).digest('hex')
    return { 'x-bamboohr-timestamp': time, 'x-bamboohr-signature': signature }
  },
})
