import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Sumsub: webhooks of a client. */
export const sumsub = defineService({
  name: 'sumsub',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-payload-digest' }),
  kind: 'type',
  subject: 'applicantId',
  time: 'createdAtMs',
})

export const facts: ServiceFacts = {
  title: 'Sumsub',
  docs: 'https://docs.sumsub.com/docs/webhook-manager',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://docs.sumsub.com/docs/webhook-manager'],
  setup: [
    'Open Dev space, Webhooks, and create a webhook with the address and the algorithm `HMAC_SHA256_HEX`.',
    'The secret is the secret key of the webhook.',
  ],
  retries: 'after 5 minutes, 1 hour, 5 hours and 18 hours',
  traps: ['The provider does not follow the algorithm that `x-payload-digest-alg` names.'],
}
