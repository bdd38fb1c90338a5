import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { rutter } from './rutter.ts'
import samples from './rutter.samples.json' with { type: 'json' }

testService(runner, {
  provider: rutter,
  samples,
  sign: ({ text, secret }) => {
    const signature = createHmac('sha256', secret).update(text).digest('base64')
    return { 'x-rutter-signature': `sha256=${signature}` }
  },
})
