import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { sanity } from './sanity.ts'
import samples from './sanity.samples.json' with { type: 'json' }

testService(runner, {
  provider: sanity,
  samples,
  sign: ({ text, secret, now }) => {
    const signature = createHmac('sha256', secret).update(`${now}.${text}`).digest('base64url')
    return { 'sanity-webhook-signature': `t=${now},v1=${signature}` }
  },
})

it('verifies the example of the toolkit', async () => {
  const headers = new Headers({
    'sanity-webhook-signature': 't=1633519811129,v1=tLa470fx7qkLLEcMOcEUFuBbRSkGujyskxrNXcoh0N0',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"_id":"resume"}') }
  expect(await sanity.signature.verify(delivery, ['test'], 1_633_519_811_129)).toMatchObject({
    verified: true,
  })
})
