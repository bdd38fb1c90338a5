import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { hcpTerraform } from './hcp-terraform.ts'
import samples from './hcp-terraform.samples.json' with { type: 'json' }

testService(runner, {
  provider: hcpTerraform,
  samples,
  sign: ({ body, secret }) => ({
    'x-tfe-notification-signature': createHmac('sha512', secret).update(body).digest('hex'),
  }),
})

it('signs with SHA-512', async () => {
  const headers = new Headers({
    'x-tfe-notification-signature':
      '7f72a0c9ddd21f0a6283a5e895c67af58e1e0a3513b9a7f33de72c203ad0416a82e7046f6d0865a83829ca384903f016edaa4b02441c1fe1c88b51a4bd24c4e7',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await hcpTerraform.signature.verify(delivery, ['token'], 0)).toMatchObject({ verified: true })
})
