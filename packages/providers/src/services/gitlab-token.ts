import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'
import { getName } from '../gitlab-events.ts'

/** GitLab: webhooks of projects and groups with a secret token. */
export const gitlabToken = defineService({
  name: 'gitlab-token',
  resends: false,
  signature: sharedToken({ header: 'x-gitlab-token' }),
  kind: [(event) => getName(event), 'object_attributes.action', 'action'],
  subject: ['project.path_with_namespace', 'group_path'],
  time: 'object_attributes.updated_at',
  bodyLimit: 25 * 1024 * 1024,
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'GitLab (secret token)',
  docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks of the project or group, and add a webhook with the address.',
    'Enter a random text as the secret token.',
  ],
  retries: 'none: resend a failed delivery by hand; GitLab disables a webhook that fails repeatedly',
  traps: [
    'The token says nothing about the body. From GitLab 19.0, use a signing token with `gitlab`.',
    'Events of groups have no `object_kind`: the kind is their `event_name`.',
  ],
}
