import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { koFi } from './ko-fi.ts'
import samples from './ko-fi.samples.json' with { type: 'json' }

testService(runner, {
  provider: koFi,
  samples,
  sign: ({ text, secret }) => {
    const payload = JSON.parse(text) as Record<string, unknown>
    const data = JSON.stringify({ ...payload, verification_token: secret })
    return { headers: {}, body: Buffer.from(new URLSearchParams({ data }).toString()) }
  },
})
