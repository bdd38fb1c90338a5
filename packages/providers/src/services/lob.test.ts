import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { lob } from './lob.ts'
import samples from './lob.samples.json' with { type: 'json' }

testService(runner, {
  provider: lob,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'lob-signature-timestamp': time, 'lob-signature': signature }
  },
})
