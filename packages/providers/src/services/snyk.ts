import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement, readPath } from '../agreement.ts'

/** Snyk: webhooks of organizations. */
export const snyk = defineService({
  name: 'snyk',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  kind: { header: 'x-snyk-event' },
  subject: ['project.id', 'webhookId'],
  time: 'project.lastTestedDate',
  // Each ping has the same body.
  distinct: (event) => readPath(event, 'project') === undefined,
  names: ['project_snapshot/v0', 'ping/v0'],
  agrees: createAgreement('x-snyk-event', [
    ['project newIssues', /^project_snapshot\//],
    ['webhookId', /^ping\//],
  ]),
  bodyLimit: 25 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Snyk',
  docs: 'https://docs.snyk.io/snyk-api/snyk-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.snyk.io/snyk-api/snyk-webhooks', 'https://github.com/snyk/user-docs'],
  setup: [
    'Create a webhook with `POST https://api.snyk.io/v1/org/{orgId}/webhooks` and the address as `url`.',
    'The secret is the random text that you send as `secret`.',
  ],
  retries: 'unknown',
  traps: ['The header with the name of the event is not signed. It must agree with the signed body.'],
}
