import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { hubspot } from './hubspot.ts'
import samples from './hubspot.samples.json' with { type: 'json' }

testService(runner, {
  provider: hubspot,
  samples,
  sign: ({ text, url, secret, now }) => ({
    'x-hubspot-request-timestamp': String(now),
    'x-hubspot-signature-v3': createHmac('sha256', secret)
      .update(`POST${url}${text}${String(now)}`)
      .digest('base64'),
  }),
})
