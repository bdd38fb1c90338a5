import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Todoist: webhooks of apps. */
export const todoist = defineService({
  name: 'todoist',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-todoist-hmac-sha256' }),
  kind: 'event_name',
  subject: 'event_data.id',
  time: 'triggered_at',
})

export const facts: ServiceFacts = {
  title: 'Todoist',
  docs: 'https://developer.todoist.com/api/v1/#tag/Webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.todoist.com/api/v1/#tag/Webhooks',
    'https://raw.githubusercontent.com/api-evangelist/todoist/refs/heads/main/openapi/todoist-asyncapi.yml',
  ],
  setup: [
    'Open the App Management Console, enter the address as the webhook callback URL and select the events.',
    'The secret is the client secret of the app, not its verification token.',
    'Deliveries begin after a user has authorized the app.',
  ],
  retries: 'three times, 15 minutes apart, until the answer is 200',
  traps: [
    '`x-todoist-delivery-id` is not signed: the id is the hash of the body, which has the time in microseconds.',
  ],
}
