import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { box } from './box.ts'
import samples from './box.samples.json' with { type: 'json' }

testService(runner, {
  provider: box,
  samples,
  sign: ({ text, secret, now }) => {
    const time = new Date(now).toISOString()
    const signature = createHmac('sha256', secret).update(text).update(time).digest('base64')
    return { 'box-delivery-timestamp': time, 'box-signature-primary': signature }
  },
})
