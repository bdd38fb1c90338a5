import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { sonarqube } from './sonarqube.ts'
import samples from './sonarqube.samples.json' with { type: 'json' }

testService(runner, {
  provider: sonarqube,
  samples,
  sign: ({ body, secret }) => ({
    'x-sonar-webhook-hmac-sha256': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})
