import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { gitlab } from './gitlab.ts'
import samples from './gitlab.samples.json' with { type: 'json' }

testService(runner, {
  provider: gitlab,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['webhook-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})

it('gives the same event to two attempts, whose event UUIDs differ', () => {
  const normalize = (uuid: string) =>
    gitlab.normalize({
      payload: samples[0]?.body,
      headers: new Headers({
        'webhook-id': '7f5b3c0e-8c55-4d0b-a9a7-2c3ef1c5a001',
        'x-gitlab-event-uuid': uuid,
      }),
      body: new Uint8Array(),
      receivedAt: 0,
    })[0]?.key
  expect(normalize('13792a34-cac6-4fda-95a8-c58e00a3954e')).toEqual(
    normalize('24803b45-dbd7-4feb-a6b9-d69f11b4065f'),
  )
})
