import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { strava } from './strava.ts'
import samples from './strava.samples.json' with { type: 'json' }

testService(runner, {
  provider: strava,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
    return { 'x-strava-signature': `t=${time},v1=${signature}` }
  },
})
