import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { courier } from './courier.ts'
import samples from './courier.samples.json' with { type: 'json' }

testService(runner, {
  provider: courier,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'courier-signature': `t=${time},signature=${signature}` }
  },
})
