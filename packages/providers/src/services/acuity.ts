import { defineService, hmac, parseForm, type ServiceFacts } from '@sallyport/webhooks'

/** Acuity Scheduling: webhooks of an account. */
export const acuity = defineService({
  name: 'acuity',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-acuity-signature' }),
  parse: parseForm,
  kind: 'action',
  distinct: true,
  subject: ['calendarID', 'id'],
})

export const facts: ServiceFacts = {
  title: 'Acuity Scheduling',
  docs: 'https://developers.acuityscheduling.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developers.acuityscheduling.com/docs/webhooks'],
  setup: [
    'Open Integrations, API, and enter the address for each event, or create webhooks with the API.',
    'The secret is the API key of the account.',
  ],
  retries: 'unknown',
  traps: [
    'Two changes of one appointment have equal bodies and no id: each delivery is a new event, and a retry is one, too.',
    'The payload has only ids: read the appointment with the API.',
    'Acuity also sends `changed` for each booking, move and cancellation.',
  ],
}
