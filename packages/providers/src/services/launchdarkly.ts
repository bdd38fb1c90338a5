import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** LaunchDarkly: webhooks of the audit log. */
export const launchdarkly = defineService({
  name: 'launchdarkly',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-ld-signature' }),
  kind: ['kind', 'accesses.0.action'],
  id: '_id',
  subject: 'target.resources.0',
  time: 'date',
})

export const facts: ServiceFacts = {
  title: 'LaunchDarkly',
  docs: 'https://launchdarkly.com/docs/home/infrastructure/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://launchdarkly.com/docs/home/infrastructure/webhooks',
    'https://github.com/launchdarkly/api-client-typescript/blob/main/docs/AuditLogEntryRep.md',
  ],
  identity: 'https://github.com/launchdarkly/api-client-typescript/blob/main/docs/AuditLogEntryRep.md',
  setup: [
    'Open Integrations, Webhooks, and add an integration with the address.',
    'Select "Sign this webhook". The secret is shown there. LaunchDarkly signs nothing without a secret.',
  ],
  retries: 'once; the order is not preserved',
}
