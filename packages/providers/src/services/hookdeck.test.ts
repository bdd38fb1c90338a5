import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { hookdeck } from './hookdeck.ts'
import samples from './hookdeck.samples.json' with { type: 'json' }

const signBody = (body: Uint8Array, secret: string) =>
  createHmac('sha256', secret).update(body).digest('base64')

testService(runner, {
  provider: hookdeck,
  samples,
  sign: ({ body, secret }) => ({ 'x-hookdeck-signature': signBody(body, secret) }),
})

it('verifies the signature with the previous secret during a rotation', async () => {
  const body = Buffer.from('{}')
  const headers = new Headers({
    'x-hookdeck-signature': signBody(body, 'new'),
    'x-hookdeck-signature-2': signBody(body, 'old'),
  })
  const delivery = { method: 'POST', headers, body }
  expect(await hookdeck.signature.verify(delivery, ['old'], 0)).toMatchObject({ verified: true })
})
