import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { linear } from './linear.ts'
import samples from './linear.samples.json' with { type: 'json' }

testService(runner, {
  provider: linear,
  samples,
  sign: ({ body, secret }) => ({
    'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('gives the same event to two attempts, which have different times of sending', () => {
  const normalize = (webhookTimestamp: number) =>
    linear.normalize({
      payload: { ...samples[0]?.body, webhookTimestamp },
      headers: new Headers(),
      body: new Uint8Array(),
      receivedAt: 0,
    })[0]?.content
  expect(normalize(1767271998500)).toBe(normalize(1767272058500))
})
