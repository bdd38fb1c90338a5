import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Pylon: webhooks of triggers and webhook destinations. */
export const pylon = defineService({
  name: 'pylon',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'pylon-webhook-signature',
    prefix: 'hs256=',
    timestamp: signedTime({ header: 'pylon-webhook-timestamp' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event_type',
  // A trigger sends a body that the user wrote, which need not have a time.
  distinct: true,
  subject: 'data.id',
})

export const facts: ServiceFacts = {
  title: 'Pylon',
  docs: 'https://docs.usepylon.com/pylon-docs/developer/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.usepylon.com/pylon-docs/developer/webhooks.md',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/pylon-webhooks',
  ],
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address and the method POST. Then create a trigger with the action Send webhook.',
    'The secret is the secret of the webhook, which Pylon shows once.',
  ],
  retries:
    'up to five attempts with growing delays; Pylon disables an address after 7 days without a success',
  traps: [
    'You write the body of a trigger: put the name of the event into `event_type`, otherwise the kind is `unknown`.',
    'Two bodies can be equal, so that each delivery is a new event, and so is a further attempt.',
  ],
}
