import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { snyk } from './snyk.ts'
import samples from './snyk.samples.json' with { type: 'json' }

testService(runner, {
  provider: snyk,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('does not name a ping under the name of a snapshot', () => {
  const headers = new Headers({ 'x-snyk-event': 'project_snapshot/v0' })
  const delivery = { payload: samples[1]?.body, headers, body: new Uint8Array(), receivedAt: 0 }
  expect(snyk.normalize(delivery).map(({ kind }) => kind)).toEqual(['unknown'])
})
