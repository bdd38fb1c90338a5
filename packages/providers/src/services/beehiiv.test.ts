import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { beehiiv } from './beehiiv.ts'
import samples from './beehiiv.samples.json' with { type: 'json' }

testService(runner, {
  provider: beehiiv,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['svix-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,${signature}` }
  },
})
