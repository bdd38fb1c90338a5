import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { polarSignature } from '../polar-signature.ts'

/** Polar: webhooks of an organization. */
export const polar = defineService({
  name: 'polar',
  createsSecret: true,
  signature: polarSignature,
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Polar',
  docs: 'https://polar.sh/docs/integrate/webhooks/delivery',
  checked: '2026-11',
  sources: ['https://github.com/polarsource/polar/blob/main/server/polar/webhook/tasks.py'],
  identity: 'https://github.com/polarsource/polar/blob/main/server/polar/webhook/tasks.py',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks of the organization, and add an endpoint with the address and the format Raw.',
    'The secret is the secret of the endpoint, whole, with its prefix `whsec_`.',
  ],
  retries:
    'up to ten deliveries with growing delays of at most 20 minutes; Polar disables an endpoint after ten failures in a row',
  traps: [
    'Endpoints from before September 2026 sign with the text of the secret, later ones with the bytes after `whsec_`: the provider accepts both.',
    'A new secret of an older endpoint also has the new form.',
    'The formats Discord and Slack are not signed.',
  ],
}
