import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement, listNames } from '../agreement.ts'

/** Bitbucket Cloud: webhooks of repositories and workspaces. */
export const bitbucket = defineService({
  name: 'bitbucket',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  kind: { header: 'x-event-key' },
  subject: 'repository.full_name',
  time: (event) => readTime(event),
  names: listNames({
    'repo:': 'push fork updated transfer created deleted imported',
    'repo:commit_': 'comment_created status_created status_updated',
    'project:': 'updated',
    'issue:': 'created updated comment_created',
    'pullrequest:': 'created updated push approved unapproved fulfilled rejected',
    'pullrequest:changes_request_': 'created removed',
    'pullrequest:comment_': 'created updated deleted resolved reopened',
  }),
  agrees: createAgreement('x-event-key', [
    ['push', /^repo:push$/],
    ['fork', /^repo:fork$/],
    ['commit_status', /^repo:commit_status_/],
    ['commit', /^repo:commit_comment_/],
    ['pullrequest comment', /^pullrequest:comment_/],
    ['pullrequest approval', /^pullrequest:(?:un)?approved$/],
    ['pullrequest changes_request', /^pullrequest:changes_request_/],
    ['pullrequest', /^pullrequest:(?!comment_|approved|unapproved|changes_request_)/],
    ['issue', /^issue:/],
  ]),
})

function readTime(event: unknown): unknown {
  const { pullrequest, push } = Object(event) as { pullrequest?: { updated_on?: unknown }; push?: Push }
  return pullrequest?.updated_on ?? push?.changes?.[0]?.new?.target?.date
}

interface Push {
  readonly changes?: readonly { readonly new?: { readonly target?: { readonly date?: unknown } } | null }[]
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Bitbucket Cloud',
  docs: 'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
  confidence: 'primary',
  setup: [
    'Open Repository settings, Webhooks, and add a webhook with the address.',
    'Enter a random text as the secret. Bitbucket signs nothing without a secret.',
    'Select the triggers.',
  ],
  retries: 'up to two times, after a status of 5xx or no answer',
  traps: [
    'The header with the name of the event is not signed. A known event must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `pullrequest:fulfilled` for `pullrequest:created`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'Bitbucket sends no event of more than 256 KB.',
  ],
}
