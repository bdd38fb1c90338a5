import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { fourthwall } from './fourthwall.ts'
import samples from './fourthwall.samples.json' with { type: 'json' }

testService(runner, {
  provider: fourthwall,
  samples,
  sign: ({ body, secret }) => {
    const hash = createHmac('sha256', secret).update(body)
    return { 'x-fourthwall-hmac-sha256': hash.digest('base64') }
  },
})
