import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { pusher } from './pusher.ts'
import samples from './pusher.samples.json' with { type: 'json' }

testService(runner, {
  provider: pusher,
  samples,
  sign: ({ body, secret }) => ({
    'x-pusher-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('keeps two equal events of one batch apart', async () => {
  const event = { name: 'client_event', channel: 'private-room', event: 'client-typing' }
  const { events } = await send(pusher, { time_ms: 1767268800000, events: [event, event] })
  expect(new Set(events.map(({ id }) => id)).size).toBe(2)
})
