import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { ghost } from './ghost.ts'
import samples from './ghost.samples.json' with { type: 'json' }

testService(runner, {
  provider: ghost,
  samples,
  sign: ({ text, secret, now }) => {
    const signature = createHmac('sha256', secret).update(`${text}${now}`).digest('hex')
    return { 'x-ghost-signature': `sha256=${signature}, t=${now}` }
  },
})
