import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { commerceLayer } from './commerce-layer.ts'
import samples from './commerce-layer.samples.json' with { type: 'json' }

testService(runner, {
  provider: commerceLayer,
  samples,
  sign: ({ text, secret }) => {
    const signature = createHmac('sha256', secret).update(text).digest('base64')
    return { 'x-commercelayer-signature': signature }
  },
})
