import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { mailchimp } from './mailchimp.ts'
import samples from './mailchimp.samples.json' with { type: 'json' }

testService(runner, {
  provider: mailchimp,
  samples,
  sign: ({ body, url, secret }) => ({ headers: {}, body, url: `${url}?token=${encodeURIComponent(secret)}` }),
})
