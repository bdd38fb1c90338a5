import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { attio } from './attio.ts'
import samples from './attio.samples.json' with { type: 'json' }

testService(runner, {
  provider: attio,
  samples,
  sign: ({ body, secret }) => ({
    'attio-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('merges deliveries with equal bodies and one key only', async () => {
  const listIds = async (key: string) => {
    const headers = { 'idempotency-key': key }
    return (await send(attio, samples[0]?.body, { headers })).events.map(({ id }) => id)
  }
  const first = await listIds('1')
  expect(await listIds('1')).toEqual(first)
  expect(await listIds('2')).not.toEqual(first)
})
