import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** ClickUp: webhooks of workspaces. */
export const clickup = defineService({
  name: 'clickup',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'event',
  distinct: (event) => !Object.hasOwn(Object(event) as object, 'history_items'),
  subject: ['task_id', 'list_id', 'folder_id', 'space_id', 'goal_id', 'key_result_id'],
  time: 'history_items.0.date',
})

export const facts: ServiceFacts = {
  title: 'ClickUp',
  docs: 'https://developer.clickup.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.clickup.com/docs/webhooks',
    'https://developer.clickup.com/docs/webhooktaskpayloads',
    'https://developer.clickup.com/docs/webhookfolderpayloads',
    'https://developer.clickup.com/docs/webhooklistpayloads',
  ],
  setup: [
    'Create a webhook with `POST https://api.clickup.com/api/v2/team/{team_id}/webhook` and the address as `endpoint`.',
    'The secret is `webhook.secret` in the answer. Each webhook has its own secret.',
  ],
  retries: 'five attempts for each event; 100 failed events suspend the webhook',
  traps: [
    'An answer with the status 401 or 410 suspends the webhook at once: configure the secret before you select events.',
    'Events of folders and spaces, creations of lists and deletions have ids only, so that two changes have equal bodies: each delivery is a new event.',
  ],
}
