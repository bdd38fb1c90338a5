import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { easypost } from './easypost.ts'
import samples from './easypost.samples.json' with { type: 'json' }

testService(runner, {
  provider: easypost,
  samples,
  sign: ({ body, secret }) => {
    const signature = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')
    return { 'x-hmac-signature': `hmac-sha256-hex=${signature}` }
  },
})
