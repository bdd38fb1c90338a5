import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { paddle } from './paddle.ts'
import samples from './paddle.samples.json' with { type: 'json' }

testService(runner, {
  provider: paddle,
  samples,
  sign: ({ text, secret, now }) => {
    const ts = String(Math.floor(now / 1000))
    const h1 = createHmac('sha256', secret).update(`${ts}:${text}`).digest('hex')
    return { 'paddle-signature': `ts=${ts};h1=${h1}` }
  },
})
