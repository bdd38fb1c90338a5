import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { vercel } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: vercel, samples: samples() })

it('accepts a delivery with its real header', async () => {
  const body = JSON.stringify(sample('deploy.error').body)
  const digest = createHmac('sha1', secret).update(body).digest('hex')
  const { events } = await send(vercel, body, { signed: { 'x-vercel-signature': digest } })
  expect(events).toMatchObject([{ name: 'vercel/deploy.error' }])
})
