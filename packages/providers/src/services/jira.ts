import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Jira Cloud: webhooks that an administrator registers. */
export const jira = defineService({
  name: 'jira',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  kind: 'webhookEvent',
  subject: ['issue.key', 'sprint.id', 'version.id', 'project.key'],
  time: 'timestamp',
  bodyLimit: 25 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Jira Cloud',
  docs: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
    'https://mrrefactoring.github.io/jira.js/api/interfaces/webhooks.WebhookHeaders',
    'https://community.developer.atlassian.com/t/30554',
  ],
  setup: [
    'Open Jira settings, System, WebHooks, and create a webhook with the address.',
    'Generate a secret there and copy it before you save. Jira signs nothing without a secret.',
    'Do not select "Exclude body".',
  ],
  retries: 'up to five times, each after 5 to 15 minutes',
  traps: [
    'Jira signs the webhooks of OAuth apps differently: use the provider `jira-app`. Those of Connect apps are refused.',
    '`x-atlassian-webhook-identifier` is not signed, and is not part of the id.',
  ],
}
