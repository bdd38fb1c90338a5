import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { shippo } from './shippo.ts'
import samples from './shippo.samples.json' with { type: 'json' }

testService(runner, {
  provider: shippo,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'shippo-auth-signature': `t=${time},v1=${signature}` }
  },
})
