import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Moov: webhooks of a facilitator. */
export const moov = defineService({
  name: 'moov',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha512',
    encoding: 'hex',
    header: 'x-signature',
    signedHeaders: ['x-timestamp', 'x-nonce', 'x-webhook-id'],
    content: ({ headers }) => {
      const values = ['x-timestamp', 'x-nonce', 'x-webhook-id'].map((name) => headers.get(name) ?? '')
      return [values.join('|')]
    },
    covers: ['x-timestamp', 'x-nonce', 'x-webhook-id'],
  }),
  kind: 'type',
  id: 'eventID',
  subject: ['data.accountID', 'data.transferID', 'data.disputeID'],
  time: 'createdOn',
})

export const facts: ServiceFacts = {
  title: 'Moov',
  docs: 'https://docs.moov.io/guides/webhooks/check-webhook-signatures/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.moov.io/guides/webhooks/set-up-webhooks',
    'https://docs.moov.io/guides/webhooks/webhook-events',
    'https://github.com/moovfinancial/moov-typescript/blob/main/src/models/components/webhookevent.ts',
  ],
  identity:
    'https://github.com/moovfinancial/moov-typescript/blob/main/src/models/components/webhookevent.ts',
  setup: [
    'Open Developers, Webhooks, and create a webhook with the address.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'unknown',
  covers: 'a time, a nonce and the id of the webhook, not the event',
  traps: [
    'A person who reads one delivery can send other events with its headers: read the object again with the API.',
  ],
}
