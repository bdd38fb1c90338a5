import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { lever } from './lever.ts'
import samples from './lever.samples.json' with { type: 'json' }

testService(runner, {
  provider: lever,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as Record<string, string | number>
    const content = `${delivery['token']}${delivery['triggeredAt']}`
    delivery['signature'] = createHmac('sha256', secret).update(content).digest('hex')
    return { headers: {}, body: Buffer.from(JSON.stringify(delivery)) }
  },
})
