import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { moov } from './moov.ts'
import samples from './moov.samples.json' with { type: 'json' }

testService(runner, {
  provider: moov,
  samples,
  sign: ({ headers, secret }) => {
    const content = `${headers['x-timestamp']}|${headers['x-nonce']}|${headers['x-webhook-id']}`
    return { 'x-signature': createHmac('sha512', secret).update(content).digest('hex') }
  },
})
