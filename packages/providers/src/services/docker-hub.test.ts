import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { dockerHub } from './docker-hub.ts'
import samples from './docker-hub.samples.json' with { type: 'json' }

testService(runner, {
  provider: dockerHub,
  samples,
  sign: ({ body, url, secret }) => ({ headers: {}, body, url: `${url}?token=${encodeURIComponent(secret)}` }),
})
