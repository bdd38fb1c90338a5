import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** incident.io: webhooks of organizations. */
export const incidentIo = defineService({
  name: 'incident-io',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'event_type',
  id: { header: 'webhook-id' },
  subject: (event) => readObject(event)['id'],
  time: (event) => readObject(event)['updated_at'],
})

/** Returns the object of an event, whose member has the name of the event. */
function readObject(event: unknown): Readonly<Record<string, unknown>> {
  const members = Object(event) as Readonly<Record<string, unknown>>
  return Object(members[String(members['event_type'])]) as Readonly<Record<string, unknown>>
}

export const facts: ServiceFacts = {
  title: 'incident.io',
  docs: 'https://docs.incident.io/integrations/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.incident.io/integrations/webhooks',
    'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  ],
  identity: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  setup: [
    'Open Settings, Webhooks, and create an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'for 24 hours with growing delays; incident.io disables an endpoint that fails for five days',
  traps: ['Events of private incidents have ids only: fetch the incident.'],
}
