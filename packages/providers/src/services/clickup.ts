import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** ClickUp: webhooks of workspaces. */
export const clickup = defineService({
  name: 'clickup',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'event',
  id: 'history_items.0.id',
  subject: ['task_id', 'list_id', 'folder_id', 'space_id', 'goal_id', 'key_result_id'],
  time: 'history_items.0.date',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'ClickUp',
  docs: 'https://developer.clickup.com/docs/webhooks',
  confidence: 'primary',
  setup: [
    'Create a webhook with `POST https://api.clickup.com/api/v2/team/{team_id}/webhook` and the address as `endpoint`.',
    'The secret is `webhook.secret` in the answer. Each webhook has its own secret.',
  ],
  retries: 'five attempts for each event; 100 failed events suspend the webhook',
  traps: [
    'An answer with the status 401 or 410 suspends the webhook at once: configure the secret before you select events.',
    'An event of a deletion has no history item: the hash of the body identifies the event.',
  ],
}
