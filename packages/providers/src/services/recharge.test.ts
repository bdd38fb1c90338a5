import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { recharge } from './recharge.ts'
import samples from './recharge.samples.json' with { type: 'json' }

testService(runner, {
  provider: recharge,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return {
      'x-recharge-webhook-timestamp': time,
      'x-recharge-webhook-signature': `t=${time},v1=${signature}`,
    }
  },
})
