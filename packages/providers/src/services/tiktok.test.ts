import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { tiktok } from './tiktok.ts'
import samples from './tiktok.samples.json' with { type: 'json' }

testService(runner, {
  provider: tiktok,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'tiktok-signature': `t=${time},s=${signature}` }
  },
})
