import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { cybersource } from './cybersource.ts'
import samples from './cybersource.samples.json' with { type: 'json' }

testService(runner, {
  provider: cybersource,
  samples,
  sign: ({ text, secret, now }) => {
    const key = Buffer.from(secret, 'base64')
    const signature = createHmac('sha256', key).update(`${now}.${text}`).digest('base64')
    return { 'v-c-signature': `t=${now};keyId=8b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9;sig=${signature}` }
  },
  secret: btoa('the secret of the webhook'),
})
