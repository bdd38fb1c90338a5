import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { orb } from './orb.ts'
import samples from './orb.samples.json' with { type: 'json' }

testService(runner, {
  provider: orb,
  samples,
  sign: ({ text, secret, now }) => {
    const time = new Date(now).toISOString()
    const signature = createHmac('sha256', secret).update(`v1:${time}:${text}`).digest('hex')
    return { 'x-orb-timestamp': time, 'x-orb-signature': `v1=${signature}` }
  },
})
