import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { aircall } from './aircall.ts'
import samples from './aircall.samples.json' with { type: 'json' }

testService(runner, {
  provider: aircall,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as Record<string, unknown>
    return { headers: {}, body: Buffer.from(JSON.stringify({ ...delivery, token: secret })) }
  },
})
