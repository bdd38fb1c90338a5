import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { firecrawl } from './firecrawl.ts'
import samples from './firecrawl.samples.json' with { type: 'json' }

testService(runner, {
  provider: firecrawl,
  samples,
  sign: ({ body, secret }) => ({
    'x-firecrawl-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
})
