import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Hookdeck: deliveries that the Event Gateway forwards. */
export const hookdeck = defineService({
  name: 'hookdeck',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: ['x-hookdeck-signature', 'x-hookdeck-signature-2'],
  }),
  kind: 'type',
  distinct: true,
  deliveryId: { header: 'x-hookdeck-eventid' },
  subject: 'id',
})

export const facts: ServiceFacts = {
  title: 'Hookdeck',
  docs: 'https://hookdeck.com/docs/authentication',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://hookdeck.com/docs/authentication',
    'https://hookdeck.com/docs/guides/how-to-verify-incoming-webhooks',
    'https://raw.githubusercontent.com/hookdeck/webhook-skills/main/skills/hookdeck-event-gateway-webhooks/SKILL.md',
    'https://trigger.dev/docs/webhooks/providers/hookdeck',
  ],
  setup: [
    'Create a connection whose destination is the address, with the authentication Hookdeck Signature, which is the default.',
    'The secret is the signing secret of the project in Settings, Secrets.',
  ],
  retries: 'as the retry rule of the connection says',
  traps: [
    'The body is the body of the original service: the kind is its `type`. For other names, verify the service behind Hookdeck with its own provider.',
    'Services behind Hookdeck can send equal bodies for different changes: `x-hookdeck-eventid` merges the attempts of a delivery. It is not signed: a captured delivery under an invented id is a new event.',
    'A project can have another prefix of the headers, whose deliveries are refused.',
  ],
}
