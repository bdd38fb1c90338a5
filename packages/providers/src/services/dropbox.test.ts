import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { dropbox } from './dropbox.ts'
import samples from './dropbox.samples.json' with { type: 'json' }

testService(runner, {
  provider: dropbox,
  samples,
  sign: ({ body, secret }) => ({
    'x-dropbox-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
