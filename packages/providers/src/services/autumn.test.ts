import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { autumn } from './autumn.ts'
import samples from './autumn.samples.json' with { type: 'json' }

testService(runner, {
  provider: autumn,
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
