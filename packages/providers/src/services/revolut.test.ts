import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { revolut } from './revolut.ts'
import samples from './revolut.samples.json' with { type: 'json' }

testService(runner, {
  provider: revolut,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now)
    const signature = createHmac('sha256', secret).update(`v1.${time}.${text}`).digest('hex')
    return { 'revolut-request-timestamp': time, 'revolut-signature': `v1=${signature}` }
  },
})

describe('an example delivery', () => {
  const signature = 'v1=bca326fb378d0da7f7c490ad584a8106bab9723d8d9cdd0d50b4c5b3be3837c0'
  const body = Buffer.from(
    '{"data":{"id":"645a7696-22f3-aa47-9c74-cbae0449cc46","new_state":"completed","old_state":"pending","request_id":"app_charges-9f5d5eb3-1e06-46c5-b1c0-3914763e0bcb"},"event":"TransactionStateChanged","timestamp":"2023-05-09T16:36:38.028960Z"}',
  )
  const verify = async (header: string) => {
    const headers = new Headers({ 'revolut-request-timestamp': '1683650202360', 'revolut-signature': header })
    const delivery = { method: 'POST', headers, body }
    const secrets = ['wsk_r59a4HfWVAKycbCaNO1RvgCJec02gRd8']
    return (await revolut.signature.verify(delivery, secrets, 1_683_650_202_360)).verified
  }

  it('verifies', async () => {
    expect(await verify(signature)).toBe(true)
  })

  // Regression: every delivery was refused while two secrets were active.
  it('verifies beside the signature of another secret', async () => {
    expect(await verify(`v1=${'0'.repeat(64)},${signature}`)).toBe(true)
    expect(await verify(`${signature},v1=${'0'.repeat(64)}`)).toBe(true)
  })
})
