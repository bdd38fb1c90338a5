import { defineService, hmac, listHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Mollie: event webhooks. */
export const mollie = defineService({
  name: 'mollie',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: listHeader('x-mollie-signature', { prefix: 'sha256=' }),
  }),
  kind: 'type',
  id: 'id',
  subject: 'entityId',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Mollie',
  docs: 'https://docs.mollie.com/reference/webhooks-new',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.mollie.com/reference/webhooks-new',
    'https://docs.mollie.com/reference/webhooks-best-practices',
    'https://github.com/mollie/mollie-api-typescript/blob/main/src/models/entitywebhookevent.ts',
  ],
  identity: 'https://github.com/mollie/mollie-api-typescript/blob/main/src/models/entitywebhookevent.ts',
  setup: [
    'Open Developers, Webhooks, and create a webhook with the address, or use the Webhooks API.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'up to ten times within 26 hours; Mollie then blocks the webhook',
  traps: [
    'Classic webhooks, which post the id of a payment as a form, are not signed: this provider refuses them.',
    'For 24 hours after a rotation, Mollie sends the header twice.',
  ],
}
