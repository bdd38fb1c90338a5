import { base64Secret, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Airtable: notifications of the webhooks of bases. */
export const airtable = defineService({
  name: 'airtable',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-airtable-content-mac',
    prefix: 'hmac-sha256=',
    key: base64Secret(),
  }),
  kind: () => 'notification',
  subject: ['base.id', 'webhook.id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Airtable',
  docs: 'https://airtable.com/developers/web/api/webhooks-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://airtable.com/developers/web/api/webhooks-overview',
    'https://nango.dev/docs/api-integrations/airtable/webhooks',
    'https://airtable.com/developers/web/api/model/webhooks-notification',
  ],
  setup: [
    'Create a webhook with `POST https://api.airtable.com/v0/bases/{baseId}/webhooks` and the address as `notificationUrl`.',
    'The secret is `macSecretBase64` in the answer.',
  ],
  retries: 'after a failure, as `willBeRetried` of the webhook says; the schedule is not stated',
  traps: [
    'The notification has no changes: fetch them from `/v0/bases/{baseId}/webhooks/{webhookId}/payloads`.',
    'A webhook expires after seven days without a refresh.',
  ],
}
