import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { openai } from './openai.ts'
import samples from './openai.samples.json' with { type: 'json' }

testService(runner, {
  provider: openai,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})

it('verifies the example of the SDK', async () => {
  const headers = new Headers({
    'webhook-id': 'wh_685c059ae39c8190af8c71ed1022a24d',
    'webhook-timestamp': '1750861210',
    'webhook-signature': 'v1,gUAg4R2hWouRZqRQG4uJypNS8YK885G838+EHb4nKBY=',
  })
  const delivery = {
    method: 'POST',
    headers,
    body: Buffer.from(
      '{"id": "evt_685c059ae3a481909bdc86819b066fb6", "object": "event", "created_at": 1750861210, "type": "response.completed", "data": {"id": "resp_123"}}',
    ),
  }
  expect(
    await openai.signature.verify(
      delivery,
      ['whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjYcmM24+Aj40c='],
      1750861210000,
    ),
  ).toMatchObject({ verified: true })
})
