import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { coinbaseCdp } from './coinbase-cdp.ts'
import samples from './coinbase-cdp.samples.json' with { type: 'json' }

testService(runner, {
  provider: coinbaseCdp,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const content = `${time}.content-type.${headers['content-type']}.${text}`
    const signature = createHmac('sha256', secret).update(content).digest('hex')
    return { 'x-hook0-signature': `t=${time},h=content-type,v1=${signature}` }
  },
})
