import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { tailscale } from './tailscale.ts'
import samples from './tailscale.samples.json' with { type: 'json' }

testService(runner, {
  provider: tailscale,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'tailscale-webhook-signature': `t=${time},v1=${signature}` }
  },
})
