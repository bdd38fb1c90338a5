import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { storyblok } from './storyblok.ts'
import samples from './storyblok.samples.json' with { type: 'json' }

testService(runner, {
  provider: storyblok,
  samples,
  sign: ({ body, secret }) => ({
    'webhook-signature': createHmac('sha1', secret).update(body).digest('hex'),
  }),
})

it('makes a new event of each delivery, because the bodies of two changes are equal', () => {
  const delivery = {
    payload: samples[0]?.body,
    headers: new Headers(),
    body: new Uint8Array(),
    receivedAt: 0,
  }
  expect(storyblok.normalize(delivery)).toMatchObject([{ distinct: true }])
})
