import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { webex } from './webex.ts'
import samples from './webex.samples.json' with { type: 'json' }

testService(runner, {
  provider: webex,
  samples,
  sign: ({ body, secret }) => ({
    'x-spark-signature': createHmac('sha1', secret).update(body).digest('hex'),
  }),
})

it.each([
  ['an update without a time is new in each delivery', true, { id: 'm-1', isModerator: true }],
  [
    'an update with a time is identified by its body',
    undefined,
    { id: 'm-1', updated: '2026-01-01T12:00:00Z' },
  ],
])('%s', (_, distinct, data) => {
  const payload = { resource: 'memberships', event: 'updated', data }
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(webex.normalize(delivery)[0]?.distinct).toBe(distinct)
})
