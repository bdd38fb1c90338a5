import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** FusionAuth: signed webhooks. */
export const fusionauth = defineService({
  name: 'fusionauth',
  signature: jwt({
    header: 'x-fusionauth-signature-jwt',
    algorithms: ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    claimEncoding: 'base64',
    requiredClaims: [],
  }),
  kind: 'event.type',
  subject: ['event.tenantId', 'event.user.id'],
  time: 'event.createInstant',
})

export const facts: ServiceFacts = {
  title: 'FusionAuth',
  docs: 'https://fusionauth.io/docs/extend/events-and-webhooks/signing',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://fusionauth.io/docs/extend/events-and-webhooks/writing-a-webhook',
    'https://fusionauth.io/docs/extend/events-and-webhooks/signing',
  ],
  setup: [
    'Open Settings, Key Master, and create an RSA or EC key.',
    'Open Settings, Webhooks, create a webhook with the address and the events, and enable signatures with this key in Security.',
    'The secret is the public key in PEM.',
  ],
  retries: 'unknown',
  traps: [
    'The token has no expiry: a captured delivery verifies without a limit, and is a duplicate.',
    'Keys for HMAC are not accepted: choose RSA or EC.',
    'In a transaction of FusionAuth, an answer other than 2xx makes the operation fail.',
  ],
}
