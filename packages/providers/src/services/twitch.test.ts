import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { twitch } from './twitch.ts'
import samples from './twitch.samples.json' with { type: 'json' }

testService(runner, {
  provider: twitch,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['twitch-eventsub-message-id'] ?? ''
    const time = new Date(now).toISOString()
    const signature = createHmac('sha256', secret).update(`${id}${time}${text}`).digest('hex')
    return {
      'twitch-eventsub-message-timestamp': time,
      'twitch-eventsub-message-signature': `sha256=${signature}`,
    }
  },
})
