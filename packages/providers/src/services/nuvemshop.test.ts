import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { nuvemshop } from './nuvemshop.ts'
import samples from './nuvemshop.samples.json' with { type: 'json' }

testService(runner, {
  provider: nuvemshop,
  samples,
  sign: ({ text, secret }) => {
    const signature = createHmac('sha256', secret).update(text).digest('hex')
    return { 'x-linkedstore-hmac-sha256': signature }
  },
})
