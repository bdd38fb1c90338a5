import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { todoist } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: todoist, samples: samples() })

it('accepts a delivery with its real header', async () => {
  const body = JSON.stringify(sample('task.created').body)
  const digest = createHmac('sha256', secret).update(body).digest('base64')
  const { events } = await send(todoist, body, { signed: { 'X-Todoist-Hmac-SHA256': digest } })
  expect(events).toMatchObject([{ name: 'todoist/task.created' }])
})
