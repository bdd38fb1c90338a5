import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { vanta } from './vanta.ts'
import samples from './vanta.samples.json' with { type: 'json' }

testService(runner, {
  provider: vanta,
  samples,
  sign: ({ body, headers, secret, now }) => {
    const id = headers['svix-id'] ?? ''
    const time = String(now / 1000)
    const signature = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
      .update(`${id}.${time}.`)
      .update(body)
      .digest('base64')
    return { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,${signature}` }
  },
})
