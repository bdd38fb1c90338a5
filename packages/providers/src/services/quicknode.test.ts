import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { quicknode } from './quicknode.ts'
import samples from './quicknode.samples.json' with { type: 'json' }

testService(runner, {
  provider: quicknode,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const content = `${headers['x-qn-nonce']}${time}${text}`
    return {
      'x-qn-timestamp': time,
      'x-qn-signature': createHmac('sha256', secret).update(content).digest('hex'),
    }
  },
})
