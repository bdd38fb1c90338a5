import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { agora } from './agora.ts'
import samples from './agora.samples.json' with { type: 'json' }

testService(runner, {
  provider: agora,
  samples,
  sign: ({ body, secret }) => ({
    'agora-signature-v2': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
