import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { docusign } from './docusign.ts'
import samples from './docusign.samples.json' with { type: 'json' }

testService(runner, {
  provider: docusign,
  samples,
  sign: ({ body, secret }) => ({
    'x-docusign-signature-1': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})
