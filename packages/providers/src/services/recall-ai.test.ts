import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { recallAi } from './recall-ai.ts'
import samples from './recall-ai.samples.json' with { type: 'json' }

testService(runner, {
  provider: recallAi,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const time = String(now / 1000)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const content = `${headers['webhook-id']}.${time}.${text}`
    const signature = createHmac('sha256', key).update(content).digest('base64')
    return { 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  },
})
