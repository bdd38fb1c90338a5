import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Zendesk: webhooks of an account. */
export const zendesk = defineService({
  name: 'zendesk',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-zendesk-webhook-signature',
    timestamp: signedTime({
      header: 'x-zendesk-webhook-signature-timestamp',
      unit: 'rfc3339',
      toleranceSeconds: 300,
    }),
    content: ({ timestamp, body }) => [timestamp, body],
  }),
  kind: 'type',
  distinct: (event) => isWritten(event),
  deliveryId: { header: 'x-zendesk-webhook-invocation-id' },
  subject: 'subject',
  time: 'time',
})

/** Bodies that an administrator writes can be equal for different changes. */
const isWritten = (event: unknown): boolean =>
  (Object(event) as { readonly zendesk_event_version?: unknown }).zendesk_event_version === undefined

export const facts: ServiceFacts = {
  title: 'Zendesk',
  docs: 'https://developer.zendesk.com/documentation/webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types',
    'https://developer.zendesk.com/documentation/webhooks/anatomy-of-a-webhook-request',
    'https://developer.zendesk.com/api-reference/webhooks/introduction',
    'https://hookdeck.com/webhooks/platforms/guide-to-zendesk-webhooks-features-and-best-practices',
  ],
  setup: [
    'Open Admin Center, Apps and integrations, Webhooks, and create a webhook with the address and Zendesk events.',
    'The secret is the signing secret of the webhook.',
  ],
  retries: 'up to three times, and only after some statuses; Zendesk pauses a webhook that fails often',
  traps: [
    'Webhooks of triggers and automations have a body that an administrator writes: choose POST and JSON. The kind is its member `type`, or `unknown`.',
    'Such bodies can be equal for different changes: `x-zendesk-webhook-invocation-id`, which all attempts of an invocation repeat, tells them apart. It is not signed: within 5 minutes, a captured delivery under an invented id is a new event.',
  ],
}
