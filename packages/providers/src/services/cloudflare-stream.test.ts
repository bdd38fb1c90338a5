import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { cloudflareStream } from './cloudflare-stream.ts'
import samples from './cloudflare-stream.samples.json' with { type: 'json' }

testService(runner, {
  provider: cloudflareStream,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'webhook-signature': `time=${time},sig1=${signature}` }
  },
})
