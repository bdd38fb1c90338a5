import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { buildkite } from './buildkite.ts'
import samples from './buildkite.samples.json' with { type: 'json' }

testService(runner, {
  provider: buildkite,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'x-buildkite-signature': `timestamp=${time},signature=${signature}` }
  },
})

it('signs the time and the body', async () => {
  const headers = new Headers({
    'x-buildkite-signature':
      'timestamp=1700000000,signature=267bb551e17079ed4b5815745dd8e160c3298534baa4fe22deaa5ff54e306911',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await buildkite.signature.verify(delivery, ['token'], 1_700_000_000_000)).toMatchObject({
    verified: true,
  })
})
