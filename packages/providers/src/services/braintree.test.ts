import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { braintree } from './braintree.ts'
import samples from './braintree.samples.json' with { type: 'json' }

testService(runner, {
  provider: braintree,
  samples,
  sign: ({ text, secret }) => {
    const payload = Buffer.from(text).toString('base64')
    const key = createHash('sha1').update(secret).digest()
    const signature = createHmac('sha1', key).update(`${payload}\n`).digest('hex')
    const form = new URLSearchParams({
      bt_signature: `old|${'0'.repeat(40)}&public|${signature}`,
      bt_payload: payload,
    })
    return { headers: {}, body: Buffer.from(form.toString()) }
  },
})
