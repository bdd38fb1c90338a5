import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { airtable } from './airtable.ts'
import samples from './airtable.samples.json' with { type: 'json' }

testService(runner, {
  provider: airtable,
  samples,
  secret: Buffer.from('a secret with 32 bytes of its key').toString('base64'),
  sign: ({ body, secret }) => {
    const key = Buffer.from(secret, 'base64')
    return { 'x-airtable-content-mac': `hmac-sha256=${createHmac('sha256', key).update(body).digest('hex')}` }
  },
})

it('decodes the key from base64', async () => {
  const headers = new Headers({
    'x-airtable-content-mac': 'hmac-sha256=65dedf846637811c8a61929b33e9c9f932413bdd64ddfcb85d99d46530e2d39a',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await airtable.signature.verify(delivery, ['c2VjcmV0LWtleS1ieXRlcw=='], 0)).toMatchObject({
    verified: true,
  })
})
