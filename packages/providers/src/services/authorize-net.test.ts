import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { authorizeNet } from './authorize-net.ts'
import samples from './authorize-net.samples.json' with { type: 'json' }

testService(runner, {
  provider: authorizeNet,
  samples,
  sign: ({ body, secret }) => {
    const signature = createHmac('sha512', secret).update(body).digest('hex').toUpperCase()
    return { 'x-anet-signature': `sha512=${signature}` }
  },
})
