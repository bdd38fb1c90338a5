import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { pandadoc } from './pandadoc.ts'
import samples from './pandadoc.samples.json' with { type: 'json' }

testService(runner, {
  provider: pandadoc,
  samples,
  sign: ({ body, url, secret }) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    return { headers: {}, body, url: `${url}?signature=${signature}` }
  },
})
