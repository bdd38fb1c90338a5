import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { revolut } from './revolut.ts'
import samples from './revolut.samples.json' with { type: 'json' }

testService(runner, {
  provider: revolut,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`v1.${time}.${text}`).digest('hex')
    return { 'revolut-request-timestamp': time, 'revolut-signature': `v1=${signature}` }
  },
})
