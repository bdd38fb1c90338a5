import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { x } from './x.ts'
import samples from './x.samples.json' with { type: 'json' }

const sign = (body: string | Uint8Array, secret: string) => ({
  'x-twitter-webhooks-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
})

testService(runner, { provider: x, samples, sign: ({ body, secret }) => sign(body, secret) })

// Regression: the answer to an unsigned challenge was the signature of a delivery with any text.
it('refuses the text of a challenge as a delivery', async () => {
  const verify = async (text: string) => {
    const delivery = { method: 'POST', headers: new Headers(sign(text, 'key')), body: Buffer.from(text) }
    return (await x.signature.verify(delivery, ['key'], 0)).verified
  }
  expect([await verify('crc_token-1'), await verify('{}')]).toEqual([false, true])
})
