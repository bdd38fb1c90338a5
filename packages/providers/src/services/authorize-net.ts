import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Authorize.Net: webhooks of a merchant. */
export const authorizeNet = defineService({
  name: 'authorize-net',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha512',
    encoding: 'hex-upper',
    header: 'x-anet-signature',
    prefix: 'sha512=',
  }),
  kind: 'eventType',
  subject: ['payload.entityName', 'payload.id'],
  time: 'eventDate',
})

export const facts: ServiceFacts = {
  title: 'Authorize.Net',
  docs: 'https://developer.authorize.net/api/reference/features/webhooks.html',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.authorize.net/api/reference/features/webhooks.html',
    'https://support.authorize.net/knowledgebase/Knowledgearticle/?code=000001542',
    'https://hookalu.com/blog/webhook-of-the-week-authorize-net',
  ],
  setup: [
    'Open Account, Settings, Webhooks, and add an endpoint with the address.',
    'The secret is the Signature Key of the account, the 128 characters as text. It is not the transaction key.',
  ],
  retries: 'unknown',
  traps: ['The prefix of the signature is in lower case, and its hexadecimal digits are in upper case.'],
}
