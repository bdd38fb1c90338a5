import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { agreesWithBody, bitbucketEvents, isUndated, readTime } from '../bitbucket-events.ts'

/** Bitbucket Cloud: webhooks of repositories and workspaces. */
export const bitbucket = defineService({
  name: 'bitbucket',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  kind: { header: 'x-event-key' },
  // A branch that is deleted twice at one commit has equal bodies.
  distinct: isUndated,
  subject: 'repository.full_name',
  time: readTime,
  names: bitbucketEvents,
  agrees: agreesWithBody,
})

export const facts: ServiceFacts = {
  title: 'Bitbucket Cloud',
  docs: 'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
    'https://support.atlassian.com/bitbucket-cloud/docs/troubleshoot-webhooks/',
    'https://bitbucket.org/blog/enhanced-webhook-security',
  ],
  setup: [
    'Open Repository settings, Webhooks, and add a webhook with the address.',
    'Enter a random text as the secret. Bitbucket signs nothing without a secret.',
    'Select the triggers.',
  ],
  retries: 'up to two times, after a status of 5xx',
  traps: [
    'The header with the name of the event is not signed. A known event must agree with the signed body.',
    'A captured delivery can still become an event whose body has the same form, such as `pullrequest:fulfilled` for `pullrequest:created`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'A push and a change of a repository have no time, and two of them can have equal bodies: each delivery is an event, a repeated attempt too.',
    'Bitbucket Data Center sends other events: use `bitbucket-data-center`.',
    'Bitbucket sends no event of more than 256 KB.',
  ],
}
