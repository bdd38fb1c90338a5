import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { docusign } from './docusign.ts'
import samples from './docusign.samples.json' with { type: 'json' }

const sign = (body: Uint8Array, secret: string) => createHmac('sha256', secret).update(body).digest('base64')

testService(runner, {
  provider: docusign,
  samples,
  sign: ({ body, secret }) => ({ 'x-docusign-signature-1': sign(body, secret) }),
})

it('names a message with recipients by the status of the envelope', () => {
  const recipient = '<RecipientStatus><Type>Signer</Type><Status>Sent</Status></RecipientStatus>'
  const xml = `<EnvelopeStatus><RecipientStatuses>${recipient}</RecipientStatuses><Status>Delivered</Status></EnvelopeStatus>`
  const delivery = { payload: xml, headers: new Headers(), body: Buffer.from(xml), receivedAt: 0 }
  expect(docusign.normalize(delivery)).toMatchObject([{ kind: 'envelope-delivered' }])
})

it('names an aggregate in JSON by the status of the envelope', () => {
  const payload = { status: 'completed', envelopeId: 'e-1', statusChangedDateTime: '2026-01-01T12:00:00Z' }
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(docusign.normalize(delivery)).toMatchObject([{ kind: 'envelope-completed', subject: 'e-1' }])
})

it('verifies the third key after the second one was removed', async () => {
  const body = Buffer.from('{"event":"envelope-completed"}')
  const headers = new Headers({
    'x-docusign-signature-1': sign(body, 'another key'),
    'x-docusign-signature-3': sign(body, 'own key'),
  })
  const delivery = { method: 'POST', headers, body }
  expect(await docusign.signature.verify(delivery, ['own key'], 0)).toMatchObject({ verified: true })
  expect(await docusign.signature.verify(delivery, ['wrong key'], 0)).toMatchObject({ verified: false })
})
