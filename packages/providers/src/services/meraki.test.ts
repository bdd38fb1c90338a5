import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { meraki } from './meraki.ts'
import samples from './meraki.samples.json' with { type: 'json' }

testService(runner, {
  provider: meraki,
  samples,
  sign: ({ text, secret }) => ({
    headers: {},
    body: Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), sharedSecret: secret })),
  }),
})
