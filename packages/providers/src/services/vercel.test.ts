import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { vercel } from './vercel.ts'
import samples from './vercel.samples.json' with { type: 'json' }

testService(runner, {
  provider: vercel,
  samples,
  sign: ({ body, secret }) => ({
    'x-vercel-signature': createHmac('sha1', secret).update(body).digest('hex'),
  }),
})
