import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { front } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: front, samples: samples() })

it('accepts a delivery with its real header', async () => {
  const body = JSON.stringify(sample('assignee.changed').body)
  const digest = createHmac('sha1', secret).update(body).digest('base64')
  const { events } = await send(front, body, { signed: { 'x-front-signature': digest } })
  expect(events).toMatchObject([{ name: 'front/assignee.changed' }])
})
