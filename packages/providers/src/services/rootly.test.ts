import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { rootly } from './rootly.ts'
import samples from './rootly.samples.json' with { type: 'json' }

testService(runner, {
  provider: rootly,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}${text}`).digest('hex')
    return { 'x-rootly-signature': `t=${time},v1=${signature}` }
  },
})
