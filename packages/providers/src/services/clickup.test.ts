import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { clickup } from './clickup.ts'
import samples from './clickup.samples.json' with { type: 'json' }

testService(runner, {
  provider: clickup,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})

it.each([
  ['an event without history', { event: 'folderUpdated', folder_id: '1', webhook_id: 'w' }, 2],
  ['an event with history', { event: 'listUpdated', history_items: [{ id: '1' }], webhook_id: 'w' }, 1],
])('tells equal deliveries of %s apart only without history', async (_, body, count) => {
  const sent = [await send(clickup, body), await send(clickup, body)]
  expect(new Set(sent.flatMap(({ events }) => events.map(({ id }) => id))).size).toBe(count)
})
