import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { xero } from './xero.ts'
import samples from './xero.samples.json' with { type: 'json' }

testService(runner, {
  provider: xero,
  samples,
  sign: ({ body, secret }) => ({
    'x-xero-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

it('answers the intent to receive by its signature, without a body', async () => {
  const answer = (isValid: boolean) =>
    xero.handshake?.answer({
      method: 'POST',
      query: new URLSearchParams(),
      headers: new Headers(),
      body: new TextEncoder().encode(
        '{"events":[],"lastEventSequence": 0,"firstEventSequence": 0,"entropy":"A"}',
      ),
      verify: () => Promise.resolve(isValid),
      secrets: [],
    })
  expect(await answer(true)).toMatchObject({ status: 200, body: '' })
  expect(await answer(false)).toMatchObject({ status: 401, body: '' })
})
