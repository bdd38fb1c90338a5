import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { bitbucketDataCenter } from './bitbucket-data-center.ts'
import samples from './bitbucket-data-center.samples.json' with { type: 'json' }

testService(runner, {
  provider: bitbucketDataCenter,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('answers the test of the connection, which is not signed', async () => {
  const headers = { 'x-event-key': 'diagnostics:ping', 'content-type': 'application/json' }
  const { response, events } = await send(bitbucketDataCenter, { test: true }, { headers, signed: {} })
  expect(response.status).toBe(200)
  expect(events).toEqual([])
})

it('takes the kind from the signed body', async () => {
  const [push] = samples
  const { events } = await send(bitbucketDataCenter, push?.body, { headers: { 'x-event-key': 'pr:merged' } })
  expect(events.map(({ name }) => name)).toEqual(['bitbucket-data-center/repo.refs_changed'])
})
