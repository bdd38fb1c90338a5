import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Polar: webhooks of an organization. */
export const polar = defineService({
  name: 'polar',
  signature: standardWebhooks({ secretEncoding: 'utf8' }),
  kind: 'type',
  id: { header: 'webhook-id' },
  subject: 'data.id',
  time: 'timestamp',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Polar',
  docs: 'https://polar.sh/docs/integrate/webhooks/delivery',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks of the organization, and add an endpoint with the address and the format Raw.',
    'The secret is the secret of the endpoint, whole, as text.',
  ],
  retries:
    'up to ten deliveries with growing delays of at most 20 minutes; Polar disables an endpoint after ten failures in a row',
  traps: ['The formats Discord and Slack are not signed.'],
}
