import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement } from '../agreement.ts'

/** Sentry: webhooks of integrations. */
export const sentry = defineService({
  name: 'sentry',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'sentry-hook-signature' }),
  kind: [{ header: 'sentry-hook-resource' }, 'action'],
  subject: [
    'data.issue.id',
    'data.event.issue_id',
    'data.error.issue_id',
    'data.issue_id',
    'data.installation.uuid',
  ],
  names: ['installation', 'issue', 'error', 'metric_alert', 'event_alert', 'comment', 'seer'],
  agrees: createAgreement('sentry-hook-resource', [
    ['data.installation', /^installation$/],
    ['data.issue', /^issue$/],
    ['data.error', /^error$/],
    ['data.metric_alert', /^metric_alert$/],
    ['data.triggered_rule', /^event_alert$/],
    ['data.comment_id', /^comment$/],
  ]),
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Sentry',
  docs: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  confidence: 'primary',
  setup: [
    'Open Settings, Developer Settings, and create an internal or public integration with the address as the webhook URL.',
    'The secret is the client secret of the integration.',
    'Select the resources, and turn on "Alert Rule Action" for alerts.',
  ],
  traps: [
    '`request-id` is new for each request and is not signed: it identifies nothing.',
    'The header with the name of the resource is not signed. A known resource must agree with the signed body.',
    'The timeout is one second.',
    'The old plugin "WebHooks" of a project signs nothing.',
  ],
}
