import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { nango } from './nango.ts'
import samples from './nango.samples.json' with { type: 'json' }

testService(runner, {
  provider: nango,
  samples,
  sign: ({ text, secret }) => {
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    return { 'x-nango-hmac-sha256': signature }
  },
})
