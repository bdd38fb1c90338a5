import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { ably } from './ably.ts'
import samples from './ably.samples.json' with { type: 'json' }

testService(runner, {
  provider: ably,
  samples,
  sign: ({ body, secret }) => ({
    'x-ably-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

it('gives an event the same id in a retried batch with further events', async () => {
  const [first, other] = samples.map(({ body }) => body)
  const { events } = await send(ably, first)
  const retried = await send(ably, { items: [...(other?.items ?? []), ...(first?.items ?? [])] })
  expect(retried.events.map(({ id }) => id)).toEqual(expect.arrayContaining(events.map(({ id }) => id)))
})
