import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { svix } from './svix.ts'
import samples from './svix.samples.json' with { type: 'json' }

testService(runner, {
  provider: svix,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const id = headers['svix-id'] ?? ''
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')
    return { 'svix-timestamp': time, 'svix-signature': `v1,${signature}` }
  },
})

it('names a payload without a type', () => {
  const delivery = { headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  const kinds = [{ eventType: 'a.b' }, { event: 'c' }, { event: {}, data: 1 }].map(
    (payload) => svix.normalize({ ...delivery, payload })[0]?.kind,
  )
  expect(kinds).toEqual(['a.b', 'c', 'unknown'])
})
