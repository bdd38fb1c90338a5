import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { nowpayments } from './nowpayments.ts'
import samples from './nowpayments.samples.json' with { type: 'json' }

testService(runner, {
  provider: nowpayments,
  samples,
  sign: ({ text, secret }) => {
    // Written for two levels, which is the depth of the samples.
    const sort = (value: object) =>
      Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    const payment = sort(JSON.parse(text) as object)
    if (payment['fee']) payment['fee'] = sort(payment['fee'] as object)
    return {
      'x-nowpayments-sig': createHmac('sha512', secret).update(JSON.stringify(payment)).digest('hex'),
    }
  },
})
