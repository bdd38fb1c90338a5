import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { bitbucket } from './bitbucket.ts'
import samples from './bitbucket.samples.json' with { type: 'json' }

testService(runner, {
  provider: bitbucket,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})

it('verifies the example of the documentation', async () => {
  const headers = new Headers({
    'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('Hello World!') }
  expect(await bitbucket.signature.verify(delivery, ["It's a Secret to Everybody"], 0)).toMatchObject({
    verified: true,
  })
})

it('does not name a body under the name of another event', () => {
  const [push] = samples
  const headers = new Headers({ 'x-event-key': 'pullrequest:fulfilled' })
  const delivery = { payload: push?.body, headers, body: new Uint8Array(), receivedAt: 0 }
  expect(bitbucket.normalize(delivery).map(({ kind }) => kind)).toEqual(['unknown'])
})
