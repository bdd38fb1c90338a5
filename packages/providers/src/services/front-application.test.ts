import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { frontApplication } from './front-application.ts'
import samples from './front-application.samples.json' with { type: 'json' }

testService(runner, {
  provider: frontApplication,
  samples,
  sign: ({ text, secret, now }) => ({
    'x-front-request-timestamp': String(now),
    'x-front-signature': createHmac('sha256', secret).update(`${now}:${text}`).digest('base64'),
  }),
})
