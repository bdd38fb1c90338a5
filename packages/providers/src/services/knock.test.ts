import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { knock } from './knock.ts'
import samples from './knock.samples.json' with { type: 'json' }

testService(runner, {
  provider: knock,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('base64')
    return { 'x-knock-signature': `t=${time},s=${signature}` }
  },
})
