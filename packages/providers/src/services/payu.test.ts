import { testService } from '@sallyport/webhooks/testing'
import { createHash } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { payu } from './payu.ts'
import samples from './payu.samples.json' with { type: 'json' }

testService(runner, {
  provider: payu,
  samples,
  sign: ({ text, secret }) => {
    const signature = createHash('md5')
      .update(text + secret)
      .digest('hex')
    return { 'openpayu-signature': `sender=checkout;signature=${signature};algorithm=MD5;content=DOCUMENT` }
  },
})
