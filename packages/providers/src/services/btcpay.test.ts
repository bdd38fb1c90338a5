import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { btcpay } from './btcpay.ts'
import samples from './btcpay.samples.json' with { type: 'json' }

testService(runner, {
  provider: btcpay,
  samples,
  sign: ({ body, secret }) => ({
    'btcpay-sig': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
