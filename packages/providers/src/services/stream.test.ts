import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { stream } from './stream.ts'
import samples from './stream.samples.json' with { type: 'json' }

testService(runner, {
  provider: stream,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
})

it('has the signature of the inflated body', async () => {
  const text = '{"type":"message.new"}'
  const signature = createHmac('sha256', 'secret').update(text).digest('hex')
  const headers = new Headers({ 'x-signature': signature, 'content-encoding': 'gzip' })
  const delivery = { method: 'POST', headers, body: gzipSync(text) }
  const verified = await stream.signature.verify(delivery, ['secret'], 0)
  expect(verified).toMatchObject({ verified: true, body: new TextEncoder().encode(text) })
})
