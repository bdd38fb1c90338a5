import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { dlocal } from './dlocal.ts'
import samples from './dlocal.samples.json' with { type: 'json' }

testService(runner, {
  provider: dlocal,
  samples,
  sign: ({ text, headers, secret }) => {
    const content = `${headers['x-login']}${headers['x-date']}${text}`
    const signature = createHmac('sha256', secret).update(content).digest('hex')
    return { authorization: `V2-HMAC-SHA256, Signature: ${signature}` }
  },
})
