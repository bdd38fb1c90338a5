import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Attio: webhooks of a workspace. */
export const attio = defineService({
  name: 'attio',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'attio-signature' }),
  events: 'events.*',
  kind: 'event_type',
  distinct: true,
  deliveryId: { header: 'idempotency-key' },
  subject: [
    'id.object_id',
    'id.record_id',
    'id.list_id',
    'id.entry_id',
    'id.note_id',
    'id.task_id',
    'id.comment_id',
  ],
})

export const facts: ServiceFacts = {
  title: 'Attio',
  docs: 'https://docs.attio.com/rest-api/how-to/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.attio.com/rest-api/how-to/webhooks'],
  setup: [
    'Create a webhook with the address in Workspace settings, Developers, or with the API.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'up to ten times within three days',
  traps: [
    'Two changes of one record have equal bodies and no id: `idempotency-key` tells retries from changes. It is not signed: a captured delivery under an invented id is a new event.',
    'The payload has only ids: read the record with the API.',
  ],
}
