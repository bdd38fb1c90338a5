import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mercury } from './mercury.ts'
import samples from './mercury.samples.json' with { type: 'json' }

testService(runner, {
  provider: mercury,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'mercury-signature': `t=${time},v1=${signature}` }
  },
})
