import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { asana } from './asana.ts'
import samples from './asana.samples.json' with { type: 'json' }

testService(runner, {
  provider: asana,
  samples,
  sign: ({ body, secret }) => ({
    'x-hook-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('ignores a heartbeat', () => {
  const delivery = { payload: { events: [] }, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(asana.normalize(delivery)).toEqual([])
})
