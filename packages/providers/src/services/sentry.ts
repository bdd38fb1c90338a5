import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { createAgreement, readPath } from '../agreement.ts'

/** Sentry: webhooks of integrations. */
export const sentry = defineService({
  name: 'sentry',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'sentry-hook-signature' }),
  kind: [{ header: 'sentry-hook-resource' }, 'action'],
  // An issue has no time of its change, so that it can be resolved twice with equal bodies.
  distinct: (event) => isChangedIssue(event),
  subject: [
    'data.issue.id',
    'data.event.issue_id',
    'data.error.issue_id',
    'data.issue_id',
    'data.installation.uuid',
  ],
  names: [
    'installation',
    'issue',
    'error',
    'metric_alert',
    'event_alert',
    'comment',
    'seer',
    'preprod_artifact',
    'activity_alert',
  ],
  agrees: createAgreement('sentry-hook-resource', [
    ['data.installation', /^installation$/],
    ['data.issue', /^issue$/],
    ['data.error', /^error$/],
    ['data.metric_alert', /^metric_alert$/],
    ['data.event', /^event_alert$/],
    ['data.comment_id', /^comment$/],
  ]),
})

const isChangedIssue = (event: unknown): boolean =>
  readPath(event, 'data.issue') !== undefined && readPath(event, 'action') !== 'created'

export const facts: ServiceFacts = {
  title: 'Sentry',
  docs: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
    'https://docs.sentry.io/integrations/integration-platform/webhooks/',
    'https://github.com/getsentry/sentry/blob/master/src/sentry/sentry_apps/api/serializers/app_platform_event.py',
    'https://github.com/getsentry/sentry/blob/master/src/sentry/sentry_apps/utils/webhooks.py',
  ],
  setup: [
    'Open Settings, Developer Settings, and create an internal or public integration with the address as the webhook URL.',
    'The secret is the client secret of the integration.',
    'Select the resources, and turn on "Alert Rule Action" for alerts.',
  ],
  retries: 'unknown',
  traps: [
    '`request-id` is new for each request and is not signed: it identifies nothing.',
    'The header with the name of the resource is not signed. A known resource must agree with the signed body.',
    'The timeout is one second.',
    'An issue can be resolved, reopened and resolved with equal bodies: each delivery of a change of an issue is an event, a repeated attempt too.',
    'The old plugin "WebHooks" of a project signs nothing.',
  ],
}
