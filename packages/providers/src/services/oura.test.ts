import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { oura } from './oura.ts'
import samples from './oura.samples.json' with { type: 'json' }

testService(runner, {
  provider: oura,
  samples,
  sign: ({ text, headers, secret }) => ({
    'x-oura-signature': createHmac('sha256', secret)
      .update(`${headers['x-oura-timestamp']}${text}`)
      .digest('hex')
      .toUpperCase(),
  }),
})
