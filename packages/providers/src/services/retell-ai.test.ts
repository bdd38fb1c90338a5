import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { retellAi } from './retell-ai.ts'
import samples from './retell-ai.samples.json' with { type: 'json' }

testService(runner, {
  provider: retellAi,
  samples,
  sign: ({ text, secret, now }) => {
    const time = now
    const signature = createHmac('sha256', secret).update(`${text}${time}`).digest('hex')
    return { 'x-retell-signature': `v=${time},d=${signature}` }
  },
})

it('verifies the example of the SDK', async () => {
  const headers = new Headers({
    'x-retell-signature':
      'v=1700000000000,d=07024cabe7dd8f6d1c6e4a8324ca92c812e6ad4a7ee506c04f7e462e3321823e',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"event":"call_ended"}') }
  expect(await retellAi.signature.verify(delivery, ['test-api-key'], 1_700_000_000_000)).toMatchObject({
    verified: true,
  })
})
