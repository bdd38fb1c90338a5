import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Loops: webhooks of a team. */
export const loops = defineService({
  name: 'loops',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'eventName',
  id: { header: 'webhook-id' },
  subject: 'contactIdentity.id',
  time: 'eventTime',
})

export const facts: ServiceFacts = {
  title: 'Loops',
  docs: 'https://loops.so/docs/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://loops.mintlify.app/webhooks',
    'https://github.com/simstudioai/sim/blob/main/apps/sim/lib/webhooks/providers/loops.ts',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Settings, Webhooks, and enter the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'unknown',
}
