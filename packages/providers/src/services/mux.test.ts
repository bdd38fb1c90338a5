import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { mux } from './mux.ts'
import samples from './mux.samples.json' with { type: 'json' }

testService(runner, {
  provider: mux,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'mux-signature': `t=${time},v1=${signature}` }
  },
})

it('verifies the example of the SDK', async () => {
  const headers = new Headers({
    'mux-signature': 't=1591664030,v1=e43496b6aae982c4c2fd6f8e92935f1d90216f1f64d56024e72390acfb988272',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('payload') }
  expect(await mux.signature.verify(delivery, ['SuperSecret123'], 1_591_664_030_000)).toMatchObject({
    verified: true,
  })
})

it('gives the same event to two attempts, whose bodies differ', () => {
  const normalize = (attempts: readonly unknown[]) =>
    mux.normalize({
      payload: { ...samples[0]?.body, attempts },
      headers: new Headers(),
      body: new Uint8Array(),
      receivedAt: 0,
    })[0]?.key
  expect(normalize([])).toEqual(normalize([{ response_status_code: 500 }]))
})
