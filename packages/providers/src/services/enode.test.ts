import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { enode } from './enode.ts'
import samples from './enode.samples.json' with { type: 'json' }

testService(runner, {
  provider: enode,
  samples,
  sign: ({ body, secret }) => ({
    'x-enode-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  }),
})
