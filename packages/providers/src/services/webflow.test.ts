import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { webflow } from './webflow.ts'
import samples from './webflow.samples.json' with { type: 'json' }

testService(runner, {
  provider: webflow,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`${time}:${text}`).digest('hex')
    return { 'x-webflow-timestamp': time, 'x-webflow-signature': signature }
  },
})
