import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Intercom: webhooks of an app. */
export const intercom = defineService({
  name: 'intercom',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha1=' }),
  kind: 'topic',
  ignore: ['delivery_attempts', 'delivery_status'],
  subject: ['data.item.type', 'data.item.id'],
  time: 'created_at',
  handshake: fixedHandshake({ methods: ['HEAD'] }),
})

export const facts: ServiceFacts = {
  title: 'Intercom',
  docs: 'https://developers.intercom.com/docs/webhooks',
  checked: '2026-11',
  sources: [
    'https://developers.intercom.com/docs/webhooks/webhook-notifications',
    'https://developers.intercom.com/docs/webhooks',
  ],
  confidence: 'secondary',
  setup: [
    'Open the Developer Hub, the app, Webhooks, and enter the address and the topics.',
    'The secret is the client secret of the app.',
  ],
  retries: 'once, after 1 minute',
  traps: [
    '`delivery_attempts` and `delivery_status` change between attempts: the hash of the body omits them.',
  ],
}
