import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { recurly } from './recurly.ts'
import samples from './recurly.samples.json' with { type: 'json' }

testService(runner, {
  provider: recurly,
  samples,
  sign: ({ text, secret, now }) => {
    const signature = createHmac('sha256', secret)
      .update(`${String(now)}.${text}`)
      .digest('hex')
    return { 'recurly-signature': `${String(now)},${signature}` }
  },
})
