import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { nylas } from './nylas.ts'
import samples from './nylas.samples.json' with { type: 'json' }

testService(runner, {
  provider: nylas,
  samples,
  sign: ({ body, secret }) => ({
    'x-nylas-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('has the signature of the compressed body', async () => {
  const text = '{"type":"message.created"}'
  const body = gzipSync(text)
  const signature = createHmac('sha256', 'secret').update(body).digest('hex')
  const headers = new Headers({ 'x-nylas-signature': signature, 'content-encoding': 'gzip' })
  const verified = await nylas.signature.verify({ method: 'POST', headers, body }, ['secret'], 0)
  expect(verified).toMatchObject({ verified: true, body: new TextEncoder().encode(text) })
})
