import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { workos } from './workos.ts'
import samples from './workos.samples.json' with { type: 'json' }

testService(runner, {
  provider: workos,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'workos-signature': `t=${time}, v1=${signature}` }
  },
})

it('verifies a signature over the received bytes', async () => {
  const headers = new Headers({
    'workos-signature':
      't=1700000000000, v1=720d7b8a5439934fefcfd899b36e3a01e46646db1ac8a081b7d14cef99444e5f',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await workos.signature.verify(delivery, ['secret'], 1700000000000)).toMatchObject({ verified: true })
})
