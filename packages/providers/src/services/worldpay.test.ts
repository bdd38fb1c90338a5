import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { worldpay } from './worldpay.ts'
import samples from './worldpay.samples.json' with { type: 'json' }

const signBody = (body: Uint8Array, secret: string) => createHmac('sha256', secret).update(body).digest('hex')

testService(runner, {
  provider: worldpay,
  samples,
  sign: ({ body, secret }) => ({ 'event-signature': `7/SHA256/${signBody(body, secret)}` }),
})

const body = Buffer.from('{}')
const signature = signBody(body, 'new')
const verify = async (header: string) => {
  const delivery = { method: 'POST', headers: new Headers({ 'event-signature': header }), body }
  return (await worldpay.signature.verify(delivery, ['new'], 0)).verified
}

it.each([',', ', '])('accepts one valid signature of a list with "%s"', async (separator) => {
  expect(await verify([`1/SHA256/${'0'.repeat(64)}`, `2/SHA256/${signature}`].join(separator))).toBe(true)
})

it.each([
  signature,
  `SHA256/${signature}`,
  `1/SHA512/${signature}`,
  `1/SHA256/${signature}/`,
  `1/SHA256/${signature},`,
  Array.from({ length: 9 }, () => `1/SHA256/${signature}`).join(','),
])('refuses the header %s', async (header) => {
  expect(await verify(header)).toBe(false)
})
