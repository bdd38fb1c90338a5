import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { microsoftTeams } from './microsoft-teams.ts'
import samples from './microsoft-teams.samples.json' with { type: 'json' }

testService(runner, {
  provider: microsoftTeams,
  samples,
  sign: ({ body, secret }) => ({
    authorization: `HMAC ${createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('base64')}`,
  }),
  secret: 'vqF0En+Z0ucuRTM/01o2GuhMH3hKKk/N2bOmlM31zaA=',
})
