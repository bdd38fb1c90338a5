import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Mastercard Open Finance (Finicity): webhooks of Connect and of reports. */
export const finicity = defineService({
  name: 'finicity',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-finicity-signature' }),
  kind: 'eventType',
  id: 'eventId',
  subject: 'customerId',
})

export const facts: ServiceFacts = {
  title: 'Mastercard Open Finance (Finicity)',
  docs: 'https://developer.mastercard.com/open-finance-us/documentation/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.finicity.com/connect-and-mvs-webhooks/',
    'https://developer.mastercard.com/open-finance-us/documentation/webhooks/webhooks-connect/',
  ],
  identity: 'https://docs.finicity.com/connect-and-mvs-webhooks/',
  setup: [
    'Send the address as `webhook` of the Connect session or of the report.',
    'The secret is the partner secret.',
  ],
  retries: 'Connect: five times within 5 minutes, then daily for 3 days; reports: never',
  traps: ['TxPUSH notifications have another signature: the provider refuses them.'],
}
