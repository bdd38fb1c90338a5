import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mailersend } from './mailersend.ts'
import samples from './mailersend.samples.json' with { type: 'json' }

testService(runner, {
  provider: mailersend,
  samples,
  sign: ({ body, secret }) => ({ signature: createHmac('sha256', secret).update(body).digest('hex') }),
})
