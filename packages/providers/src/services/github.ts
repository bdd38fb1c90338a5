import { defineService, hmac, parseFormJson, type ServiceFacts } from '@sallyport/webhooks'
import { agreesWithBody, eventNames } from '../github-events.ts'

/** GitHub: webhooks of repositories, organizations and apps. */
export const github = defineService({
  name: 'github',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' }),
  kind: [{ header: 'x-github-event' }, 'action'],
  // A member who is added again or a dispatch with the same inputs has an equal body. A redelivery repeats the id.
  distinct: true,
  deliveryId: { header: 'x-github-delivery' },
  subject: (event) => getSubject(event),
  agrees: agreesWithBody,
  names: eventNames,
  parse: parseFormJson('payload'),
  bodyLimit: 25 * 1024 * 1024,
  queueable: ['workflow_run.completed'],
})

export const facts: ServiceFacts = {
  title: 'GitHub',
  docs: 'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
    'https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks',
    'https://github.com/octokit/openapi-webhooks',
  ],
  setup: [
    'Open Settings, Webhooks, Add webhook of the repository or organization, or the settings of the GitHub App.',
    'Enter the address as the payload URL and a random text as the secret. Both content types work.',
    'Select the events. `only` narrows them in the gateway.',
  ],
  retries: 'none: redeliver a failed delivery by hand or through the API',
  traps: [
    'The header with the name of the event is not signed. A known event must agree with the signed body.',
    'A captured delivery without a member of its own can still become another such event, such as `repository` for `watch`: set `only` of an endpoint to one event, and read the entity with the API before you act on it.',
    'Two changes can have equal bodies, such as a member who is added twice, or two dispatches with equal inputs: `x-github-delivery`, which a redelivery repeats, tells them apart. The header is not signed: a captured delivery under an invented id is a new event.',
  ],
}

function getSubject(event: unknown): string | undefined {
  const { repository, organization } = Object(event) as Record<string, Record<string, unknown> | undefined>
  const name = repository?.['full_name'] ?? organization?.['login']
  return typeof name === 'string' ? name : undefined
}
