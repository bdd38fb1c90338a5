import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { rapyd } from './rapyd.ts'
import samples from './rapyd.samples.json' with { type: 'json' }

testService(runner, {
  provider: rapyd,
  samples,
  sign: ({ text, headers, url, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const content = `${url}${headers['salt']}${time}${headers['access_key']}${secret}${text}`
    const hex = createHmac('sha256', secret).update(content).digest('hex')
    return { timestamp: time, signature: Buffer.from(hex).toString('base64') }
  },
})
