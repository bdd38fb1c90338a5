import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { sentry } from './sentry.ts'
import samples from './sentry.samples.json' with { type: 'json' }

testService(runner, {
  provider: sentry,
  samples,
  sign: ({ body, secret }) => ({
    'sentry-hook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('does not name an issue under the name of an alert', () => {
  const headers = new Headers({ 'sentry-hook-resource': 'event_alert' })
  const delivery = { payload: samples[0]?.body, headers, body: new Uint8Array(), receivedAt: 0 }
  expect(sentry.normalize(delivery).map(({ kind }) => kind)).toEqual(['unknown'])
})
