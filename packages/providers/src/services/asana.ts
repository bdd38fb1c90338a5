import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Asana: webhooks of resources. */
export const asana = defineService({
  name: 'asana',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hook-signature' }),
  handshake: echoHandshake({
    from: { header: 'x-hook-secret' },
    as: { header: 'x-hook-secret' },
    establishesSecret: true,
  }),
  events: 'events.*',
  kind: ['resource.resource_type', 'action'],
  subject: 'resource.gid',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Asana',
  docs: 'https://developers.asana.com/docs/webhooks-guide',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developers.asana.com/docs/webhooks-guide'],
  setup: [
    'Create a webhook with `POST https://app.asana.com/api/1.0/webhooks`: `target` is the address. The gateway answers the handshake. An endpoint accepts it for one hour after you create the endpoint, and after `POST /endpoints/{id}/handshake`.',
    'The secret is `X-Hook-Secret` in the answer to this request. Each webhook has a separate secret: use an endpoint per webhook, which stores the secret, or add it to the secrets of the provider.',
  ],
  retries: 'for up to 24 hours with growing delays; then Asana deletes the webhook',
  traps: [
    'A delivery can have several events. A heartbeat has none, and is ignored.',
    'An event has no id: the hash of the delivery and the position in it identify the event.',
  ],
}
