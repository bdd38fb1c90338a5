import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Enode: webhooks of a client. */
export const enode = defineService({
  name: 'enode',
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-enode-signature', prefix: 'sha1=' }),
  events: '*',
  kind: 'event',
  subject: ['user.id', 'vehicle.id', 'charger.id', 'battery.id'],
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Enode',
  docs: 'https://developers.enode.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.enode.com/docs/webhooks.md',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/enode-webhooks',
  ],
  setup: [
    'Create a webhook with the address and a random secret of at least 128 bits with the API.',
    'The secret is the text that you send: Enode does not return it.',
  ],
  retries: 'unknown',
  traps: [
    'A delivery has up to 100 events. An event has no id: its content and its place in the delivery identify it.',
    'A kind such as `user:vehicle:updated` becomes `user.vehicle.updated`.',
    'A heartbeat, `system.heartbeat`, is an event, too.',
  ],
}
