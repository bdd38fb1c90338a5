import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { column } from './column.ts'
import samples from './column.samples.json' with { type: 'json' }

testService(runner, {
  provider: column,
  samples,
  sign: ({ body, secret }) => ({
    'column-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
