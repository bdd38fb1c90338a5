import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { composio } from './composio.ts'
import samples from './composio.samples.json' with { type: 'json' }

testService(runner, {
  provider: composio,
  samples,
  sign: ({ body, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const signature = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})
