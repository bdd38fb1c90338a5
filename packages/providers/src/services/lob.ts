import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { eitherTime } from '../either-time.ts'

/** Lob: webhooks of an account. */
export const lob = defineService({
  name: 'lob',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'lob-signature',
    timestamp: eitherTime({ header: 'lob-signature-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'event_type.id',
  id: 'id',
  subject: 'reference_id',
  time: 'date_created',
})

export const facts: ServiceFacts = {
  title: 'Lob',
  docs: 'https://docs.lob.com/#tag/Webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://github.com/lob/lob-openapi/blob/main/resources/events/models/events.yml',
    'https://lob.com/resources/guides/general/webhooks',
  ],
  identity: 'https://github.com/lob/lob-openapi/blob/main/resources/events/models/events.yml',
  setup: ['Open Webhooks and create a webhook with the address.', 'The secret is the secret of the webhook.'],
  retries: 'after a status other than 2xx and without an answer; the schedule is not stated',
  traps: ['The unit of the signed time is not confirmed: seconds and milliseconds are accepted.'],
}
