import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mailgun } from './mailgun.ts'
import samples from './mailgun.samples.json' with { type: 'json' }

testService(runner, {
  provider: mailgun,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as { signature: Record<string, string> }
    const { timestamp, token } = delivery.signature
    delivery.signature['signature'] = createHmac('sha256', secret)
      .update(`${timestamp}${token}`)
      .digest('hex')
    return { headers: {}, body: Buffer.from(JSON.stringify(delivery)) }
  },
})
