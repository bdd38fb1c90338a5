import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { mandrill } from './mandrill.ts'
import samples from './mandrill.samples.json' with { type: 'json' }

testService(runner, {
  provider: mandrill,
  samples,
  sign: ({ text, url, secret }) => {
    const fields = [...new URLSearchParams(text)].map((pair) => pair.join('')).sort()
    return {
      'x-mandrill-signature': createHmac('sha1', secret)
        .update(url + fields.join(''))
        .digest('base64'),
    }
  },
})
