import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Loops: webhooks of a team. */
export const loops = defineService({
  name: 'loops',
  signature: standardWebhooks(),
  kind: 'eventName',
  id: { header: 'webhook-id' },
  subject: 'contactIdentity.id',
  time: 'eventTime',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Loops',
  docs: 'https://loops.so/docs/webhooks',
  confidence: 'secondary',
  setup: [
    'Open Settings, Webhooks, and enter the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
}
