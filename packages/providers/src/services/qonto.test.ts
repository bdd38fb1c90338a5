import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { qonto } from './qonto.ts'
import samples from './qonto.samples.json' with { type: 'json' }

testService(runner, {
  provider: qonto,
  samples,
  sign: ({ text, secret, now }) => {
    const t = String(Math.floor(now / 1000))
    const v1 = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')
    return { 'x-qonto-signature': `t=${t},v1=${v1}` }
  },
})
