import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { ringcentral } from './ringcentral.ts'
import samples from './ringcentral.samples.json' with { type: 'json' }

testService(runner, {
  provider: ringcentral,
  samples,
  sign: ({ secret }) => ({ 'verification-token': secret }),
})

it('answers a new subscription with its token in the header, and with JSON', async () => {
  const answer = await ringcentral.handshake?.answer({
    method: 'POST',
    query: new URLSearchParams(),
    headers: new Headers({ 'validation-token': '7b1c-token' }),
    body: new Uint8Array(),
    secrets: [],
    verify: async () => false,
  })
  expect(answer).toMatchObject({
    contentType: 'application/json',
    headers: { 'validation-token': '7b1c-token' },
  })
})
