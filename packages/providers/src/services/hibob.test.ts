import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { hibob } from './hibob.ts'
import samples from './hibob.samples.json' with { type: 'json' }

testService(runner, {
  provider: hibob,
  samples,
  sign: ({ body, secret }) => ({
    'bob-signature': createHmac('sha512', secret).update(body).digest('base64'),
  }),
})

it.each([
  ['answers a ping', { text: 'Ping test' }, true],
  [
    'does not answer an event with the text of a ping',
    { type: 'employee.updated', text: 'Ping test' },
    false,
  ],
])('%s', async (_, event, isAnswered) => {
  const answer = await hibob.handshake?.answer({
    ...{ method: 'POST', query: new URLSearchParams(), headers: new Headers() },
    body: Buffer.from(JSON.stringify(event)),
    secrets: ['key'],
    verify: () => Promise.resolve(true),
  })
  expect(answer !== undefined).toBe(isAnswered)
})
