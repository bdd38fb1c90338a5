import {
  base64Secret,
  defineService,
  hmac,
  signedTime,
  structuredHeader,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Cybersource (Visa Acceptance Solutions): webhook notifications. */
export const cybersource = defineService({
  name: 'cybersource',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: structuredHeader('v-c-signature', { timestamp: 't', signature: 'sig', separator: ';' }),
    key: base64Secret(),
    timestamp: signedTime({ unit: 'ms' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'eventType',
  ignore: ['retryNumber'],
  subject: ['webhookId', 'notificationId'],
  time: 'eventDate',
  // The health check of the address.
  handshake: fixedHandshake({ methods: ['GET'] }),
})

export const facts: ServiceFacts = {
  title: 'Cybersource',
  docs: 'https://developer.cybersource.com/docs/cybs/en-us/webhooks/implementation/all/rest/webhooks/wh-fg-optional-intro/wh-fg-optional-validate-intro.html',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.cybersource.com/docs/cybs/en-us/webhooks/implementation/all/rest/webhooks/wh-fg-optional-intro/wh-fg-optional-validate-intro.html',
    'https://developer.cybersource.com/docs/cybs/en-us/webhooks/implementation/all/rest/webhooks/wh-fg-key-dig-sig-intro.md',
    'https://github.com/CyberSource/cybersource-rest-client-node/blob/master/docs/CreateNewWebhooksApi.md',
  ],
  setup: [
    'Create a digital signature key with `POST /kms/egress/v2/keys-sym`, and then a webhook subscription with the address.',
    'The secret is the key of the response, which is base64. During a rotation, configure the new and the old key.',
  ],
  retries: 'unknown',
  traps: [
    'A new key replaces the old one: renew it every year.',
    'Notifications with message-level encryption have an encrypted payload, which the provider does not decrypt.',
    '`retryNumber` changes between the attempts, and is not a part of the id.',
  ],
}
