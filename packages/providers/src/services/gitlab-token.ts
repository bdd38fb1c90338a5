import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'
import { getCommitTime, getName } from '../gitlab-events.ts'

/** GitLab: webhooks of projects and groups with a secret token. */
export const gitlabToken = defineService({
  name: 'gitlab-token',
  resends: false,
  signature: sharedToken({ header: 'x-gitlab-token' }),
  kind: [(event) => getName(event), 'object_attributes.action', 'action'],
  // A branch that is deleted twice at one commit has equal bodies.
  distinct: true,
  deliveryId: { header: 'idempotency-key' },
  subject: ['project.path_with_namespace', 'group_path'],
  time: ['object_attributes.updated_at', 'updated_at', (event) => getCommitTime(event)],
  bodyLimit: 25 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'GitLab (secret token)',
  docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.gitlab.com/user/project/integrations/webhooks/',
    'https://docs.gitlab.com/user/project/integrations/webhook_events/',
    'https://docs.gitlab.com/administration/system_hooks/',
    'https://gitlab.com/gitlab-org/gitlab/-/blob/master/app/services/web_hook_service.rb',
  ],
  setup: [
    'Open Settings, Webhooks of the project or group, and add a webhook with the address.',
    'Enter a random text as the secret token.',
  ],
  retries: 'none: resend a failed delivery by hand; GitLab disables a webhook that fails repeatedly',
  traps: [
    'The token says nothing about the body. From GitLab 19.0, use a signing token with `gitlab`.',
    'Two pushes can have equal bodies. `idempotency-key` identifies a delivery; GitLab before 17.4 does not send it, so that a resent delivery is a new event. The header is not signed: a captured delivery under an invented id is a new event.',
    'A webhook with a custom template sends what the template has: without `object_kind` and `event_name`, the kind is `unknown`.',
    'Events of groups have no `object_kind`: the kind is their `event_name`.',
  ],
}
