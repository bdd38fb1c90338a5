import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mercadoPago } from './mercado-pago.ts'
import samples from './mercado-pago.samples.json' with { type: 'json' }

testService(runner, {
  provider: mercadoPago,
  samples,
  sign: ({ headers, secret, now }) => {
    const time = Math.floor(now / 1000)
    const content = `id:999999999;request-id:${headers['x-request-id']};ts:${time};`
    return { 'x-signature': `ts=${time},v1=${createHmac('sha256', secret).update(content).digest('hex')}` }
  },
  url: 'https://hooks.example.com/webhooks/mercado-pago?data.id=999999999&type=payment',
})
