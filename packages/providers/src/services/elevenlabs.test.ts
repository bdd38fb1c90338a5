import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { elevenlabs } from './elevenlabs.ts'
import samples from './elevenlabs.samples.json' with { type: 'json' }

testService(runner, {
  provider: elevenlabs,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now / 1000
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'elevenlabs-signature': `t=${time},v0=${signature}` }
  },
})
