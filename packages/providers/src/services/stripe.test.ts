import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { stripe } from './stripe.ts'
import samples from './stripe.samples.json' with { type: 'json' }

testService(runner, {
  provider: stripe,
  samples,
  sign: ({ text, secret, now }) => {
    const timestamp = now / 1000
    const v1 = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex')
    return { 'stripe-signature': `t=${timestamp},v1=${v1}` }
  },
})
