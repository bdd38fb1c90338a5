import { testService } from '@sallyport/webhooks/testing'
import { createHash } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { midtrans } from './midtrans.ts'
import samples from './midtrans.samples.json' with { type: 'json' }

testService(runner, {
  provider: midtrans,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as Record<string, string>
    const { order_id: order, status_code: status, gross_amount: amount } = delivery
    const signature = createHash('sha512').update(`${order}${status}${amount}${secret}`).digest('hex')
    return { headers: {}, body: Buffer.from(JSON.stringify({ ...delivery, signature_key: signature })) }
  },
})
