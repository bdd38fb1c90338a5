import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { orb } from './orb.ts'
import samples from './orb.samples.json' with { type: 'json' }

testService(runner, {
  provider: orb,
  samples,
  sign: ({ text, secret, now }) => {
    const time = new Date(now).toISOString().slice(0, -1)
    const signature = createHmac('sha256', secret).update(`v1:${time}:${text}`).digest('hex')
    return { 'x-orb-timestamp': time, 'x-orb-signature': `v1=${signature}` }
  },
})

describe('the example of the SDK', () => {
  const secret = 'c-UGKYdnhHh436B_sMouYAPUvXyWpzOdunZBV5dFSD8'
  const signature = 'v1=9d25de966891ab0bc18754faf8d83d0980b44ae330fcc130b41a6cf3daf1f391'
  const body = Buffer.from(
    '{"id": "o4mmewpfNNTnjfZc", "created_at": "2024-03-27T15:42:29+00:00", "type": "resource_event.test", "properties": {"message": "A test webhook from Orb. Happy testing!"}}',
  )
  const verify = async (header: string) => {
    const headers = new Headers({ 'x-orb-timestamp': '2024-03-27T15:42:29.551', 'x-orb-signature': header })
    const now = Date.UTC(2024, 2, 27, 15, 42, 30)
    return (await orb.signature.verify({ method: 'POST', headers, body }, [secret], now)).verified
  }

  // Regression: a time without a zone was refused, and so was every delivery.
  it('verifies', async () => {
    expect(await verify(signature)).toBe(true)
  })

  it('verifies beside the signature of another secret', async () => {
    expect(await verify(`v1=${'0'.repeat(64)} ${signature}`)).toBe(true)
  })
})
