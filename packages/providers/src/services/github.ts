import { defineService, hmac, parseFormJson, type ServiceFacts } from '@sallyport/webhooks'
import { agreesWithBody, eventNames } from '../github-events.ts'

/** GitHub: webhooks of repositories, organizations and apps. */
export const github = defineService({
  name: 'github',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' }),
  kind: [{ header: 'x-github-event' }, 'action'],
  // Two manual dispatches with equal inputs have equal bodies. A redelivery repeats the id of the delivery.
  distinct: (event) => isDispatch(event),
  deliveryId: { header: 'x-github-delivery' },
  subject: (event) => getSubject(event),
  agrees: agreesWithBody,
  names: eventNames,
  parse: parseFormJson('payload'),
  bodyLimit: 25 * 1024 * 1024,
  queueable: ['workflow_run.completed'],
})

/** The facts for the documentation. */
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
    'Two manual dispatches with equal inputs have equal bodies: each delivery of `workflow_dispatch` and `repository_dispatch` with another `x-github-delivery` is an event. The header is not signed.',
  ],
}

function isDispatch(event: unknown): boolean {
  const body = Object(event) as object
  return (
    Object.hasOwn(body, 'client_payload') ||
    (Object.hasOwn(body, 'workflow') && Object.hasOwn(body, 'inputs'))
  )
}

function getSubject(event: unknown): string | undefined {
  const { repository, organization } = Object(event) as Record<string, Record<string, unknown> | undefined>
  const name = repository?.['full_name'] ?? organization?.['login']
  return typeof name === 'string' ? name : undefined
}
