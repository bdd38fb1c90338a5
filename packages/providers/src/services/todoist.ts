import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Todoist: webhooks of apps. */
export const todoist = defineService({
  name: 'todoist',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-todoist-hmac-sha256' }),
  kind: 'event_name',
  id: ['event_data.id', 'triggered_at'],
  subject: 'event_data.id',
  time: 'triggered_at',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Todoist',
  docs: 'https://developer.todoist.com/api/v1/#tag/Webhooks',
  confidence: 'primary',
  setup: [
    'Open the App Management Console, enter the address as the webhook callback URL and select the events.',
    'The secret is the client secret of the app, not its verification token.',
    'Deliveries begin after a user has authorized the app.',
  ],
  retries: 'three times, 15 minutes apart, until the answer is 200',
  traps: ['The id of a task is in all events of the task: the key also has the time.'],
}
