import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { jira } from './jira.ts'
import samples from './jira.samples.json' with { type: 'json' }

testService(runner, {
  provider: jira,
  samples,
  sign: ({ body, secret }) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
