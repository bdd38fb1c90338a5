import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { samsara } from './samsara.ts'
import samples from './samsara.samples.json' with { type: 'json' }

testService(runner, {
  provider: samsara,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const key = Buffer.from(secret, 'base64')
    const signature = createHmac('sha256', key).update(`v1:${time}:${text}`).digest('hex')
    return { 'x-samsara-timestamp': time, 'x-samsara-signature': `v1=${signature}` }
  },
  secret: 'vqF0En+Z0ucuRTM/01o2GuhMH3hKKk/N2bOmlM31zaA=',
})
