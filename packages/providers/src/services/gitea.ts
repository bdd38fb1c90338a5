import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement, listNames } from '../agreement.ts'

/** Gitea and Forgejo: webhooks of repositories, organizations and systems. */
export const gitea = defineService({
  name: 'gitea',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-gitea-signature' }),
  kind: [{ header: 'x-gitea-event' }, 'action'],
  subject: ['repository.full_name', 'package.name'],
  names: listNames({
    '': 'create delete fork push repository release package wiki status workflow_job workflow_run schedule',
    issue: 's _comment',
    pull_request: ' _comment _approved _rejected _review_request',
    action_run_: 'success failure recover',
  }),
  agrees: createAgreement('x-gitea-event', [
    ['comment', /^(?:issue|pull_request)_comment$/],
    ['pull_request', /^pull_request/],
    ['issue', /^issue/],
    ['forkee', /^fork$/],
    ['release', /^release$/],
    ['package', /^package$/],
    ['page', /^wiki$/],
    ['workflow_job', /^workflow_job$/],
    ['workflow_run', /^workflow_run$/],
    ['commits', /^push$/],
    ['ref_type', /^(?:create|delete)$/],
  ]),
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Gitea and Forgejo',
  docs: 'https://docs.gitea.com/usage/webhooks',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks of the repository or organization, and add a webhook of the type Gitea or Forgejo with the address.',
    'Select POST and `application/json`, and enter a random text as the secret.',
  ],
  retries: 'never',
  traps: [
    'The header with the name of the event is not signed. A known event must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `delete` for `create`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'For a form, Gitea signs the JSON in it: this provider accepts JSON only.',
    'Without a secret, the header of the signature is empty, and this provider refuses the delivery.',
  ],
}
