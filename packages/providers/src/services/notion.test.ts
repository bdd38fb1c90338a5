import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { notion } from './notion.ts'
import samples from './notion.samples.json' with { type: 'json' }

testService(runner, {
  provider: notion,
  samples,
  sign: ({ body, secret }) => ({
    'x-notion-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('gives the same event to two attempts, whose bodies differ', () => {
  const normalize = (attempt: number) =>
    notion.normalize({
      payload: { ...samples[0]?.body, attempt_number: attempt },
      headers: new Headers(),
      body: new Uint8Array(),
      receivedAt: 0,
    })[0]?.key
  expect(normalize(1)).toEqual(normalize(2))
})
