import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** beehiiv: webhooks of a publication. */
export const beehiiv = defineService({
  name: 'beehiiv',
  createsSecret: true,
  signature: standardWebhooks({ prefix: 'svix' }),
  kind: 'event_type',
  id: { header: 'svix-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'beehiiv',
  docs: 'https://developers.beehiiv.com/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://developers.beehiiv.com/webhooks'],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Settings, Webhooks, and add an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'unknown',
  traps: [
    'Receivers verify the headers of Svix, and the documentation of the API does not describe a signature: test with your publication before you rely on it.',
  ],
}
