import { defineService, hmac, jsonField, type Handshake, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

const ping = fixedHandshake({ when: { json: { text: 'Ping test' } } })

/** An event has a type, and can have the same text. */
const handshake: Handshake = {
  methods: ['POST'],
  answer: (request) => (jsonField(request.body, 'type') === undefined ? ping.answer(request) : undefined),
}

/** HiBob: webhooks of Bob, version 2. */
export const hibob = defineService({
  name: 'hibob',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha512', encoding: 'base64', header: 'bob-signature' }),
  kind: 'type',
  subject: ['companyId', 'data.employeeId'],
  time: 'triggeredAt',
  handshake,
})

export const facts: ServiceFacts = {
  title: 'HiBob',
  docs: 'https://apidocs.hibob.com/docs/working-with-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://apidocs.hibob.com/docs/working-with-webhooks',
    'https://apidocs.hibob.com/reference/getting-started-webhooks.md',
    'https://apidocs.hibob.com/docs/migrate-to-webhooks-v2',
    'https://docs.workato.com/en/connectors/hibob/new-event-trigger.html',
  ],
  setup: [
    'Open System settings, Integrations, Webhooks, and add a webhook with the address. Bob sends a ping, which the gateway answers.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'for an unknown time; then Bob disables the webhook and sends an email',
  traps: [
    'An event has the ids of the changed fields, but not their values: read them with the API.',
    'Marketplace partner apps have other webhooks, which this provider does not verify.',
  ],
}
