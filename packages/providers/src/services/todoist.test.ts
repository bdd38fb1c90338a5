import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { todoist } from './todoist.ts'
import samples from './todoist.samples.json' with { type: 'json' }

testService(runner, {
  provider: todoist,
  samples,
  sign: ({ body, secret }) => ({
    'x-todoist-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
