import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { akeneo } from './akeneo.ts'
import samples from './akeneo.samples.json' with { type: 'json' }

testService(runner, {
  provider: akeneo,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'x-akeneo-request-timestamp': time, 'x-akeneo-request-signature': signature }
  },
})
