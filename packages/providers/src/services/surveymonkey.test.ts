import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { surveymonkey } from './surveymonkey.ts'
import samples from './surveymonkey.samples.json' with { type: 'json' }

testService(runner, {
  provider: surveymonkey,
  samples,
  sign: ({ body, secret }) => ({
    'sm-signature': createHmac('sha1', secret).update(body).digest('base64'),
  }),
  secret: 'WQL3aKRqTP2bnRjyUvvD1w&44782def547aaa06c910c43932b1eb0c',
})
