import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'
import { getCommitTime, getName } from '../gitlab-events.ts'

/** GitLab: webhooks of projects and groups with a signing token. */
export const gitlab = defineService({
  name: 'gitlab',
  createsSecret: true,
  resends: false,
  signature: standardWebhooks(),
  kind: [(event) => getName(event), 'object_attributes.action', 'action'],
  id: { header: 'webhook-id' },
  subject: ['project.path_with_namespace', 'group_path'],
  time: ['object_attributes.updated_at', 'updated_at', (event) => getCommitTime(event)],
  bodyLimit: 25 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'GitLab (signing token)',
  docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.gitlab.com/user/project/integrations/webhooks/',
    'https://docs.gitlab.com/user/project/integrations/webhook_events/',
    'https://docs.gitlab.com/administration/system_hooks/',
    'https://gitlab.com/gitlab-org/gitlab/-/blob/master/app/services/web_hook_service.rb',
  ],
  identity: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  setup: [
    'Open Settings, Webhooks of the project or group, and add a webhook with the address.',
    'Generate a signing token there. The secret is this token, with its prefix `whsec_`. It needs GitLab 19.0 or later.',
    'For a secret token instead of a signing token, use `gitlab-token`.',
  ],
  retries: 'none: resend a failed delivery by hand; GitLab disables a webhook that fails repeatedly',
  traps: [
    '`x-gitlab-event-uuid` is new for each request. `webhook-id` is signed and stays the same when GitLab sends again.',
    'A webhook with a custom template sends what the template has: without `object_kind` and `event_name`, the kind is `unknown`.',
    'Events of groups have no `object_kind`: the kind is their `event_name`.',
  ],
}
