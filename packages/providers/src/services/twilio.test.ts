import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { twilio } from './twilio.ts'
import samples from './twilio.samples.json' with { type: 'json' }

testService(runner, {
  provider: twilio,
  samples,
  sign: ({ text, url, secret }) => {
    const fields = [...new URLSearchParams(text)].sort(([one], [two]) => (one < two ? -1 : 1))
    const content = url + fields.map(([name, value]) => name + value).join('')
    return { 'x-twilio-signature': createHmac('sha1', secret).update(content).digest('base64') }
  },
})
