import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { framer } from './framer.ts'
import samples from './framer.samples.json' with { type: 'json' }

testService(runner, {
  provider: framer,
  samples,
  sign: ({ text, headers, secret }) => {
    const content = `${text}${headers['framer-webhook-submission-id']}`
    return { 'framer-signature': `sha256=${createHmac('sha256', secret).update(content).digest('hex')}` }
  },
})
