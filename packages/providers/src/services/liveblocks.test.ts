import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { liveblocks } from './liveblocks.ts'
import samples from './liveblocks.samples.json' with { type: 'json' }

testService(runner, {
  provider: liveblocks,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})
