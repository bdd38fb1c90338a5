import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { refuseSignable } from '@sallyport/webhooks/handshakes'
import { linkedinHandshake, linkedinSignature } from '../linkedin-request.ts'

/** LinkedIn: webhooks of an app. */
export const linkedin = defineService({
  name: 'linkedin',
  createsSecret: true,
  signature: refuseSignable(
    hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: linkedinSignature,
      content: [({ body }) => ['hmacsha256=', body], ({ body }) => [body]],
    }),
  ),
  kind: 'type',
  subject: ['notifications.0.organizationalEntity', 'leadGenFormResponse'],
  time: ['notifications.0.lastModifiedAt', 'occurredAt'],
  handshake: linkedinHandshake,
})

export const facts: ServiceFacts = {
  title: 'LinkedIn',
  docs: 'https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation'],
  setup: ['Open the app, Webhooks, and add the address.', 'The secret is the client secret of the app.'],
  retries: 'unknown',
  traps: [
    'The provider accepts `hmacsha256=` before the body in the signed content, and before the signature.',
    'LinkedIn validates the address again every 2 hours.',
  ],
}
