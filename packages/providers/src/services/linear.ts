import { defineService, hmac, jsonField, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Linear: webhooks of workspaces and applications. */
export const linear = defineService({
  name: 'linear',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'linear-signature',
    timestamp: signedTime({
      fromBody: (body) => jsonField(body, 'webhookTimestamp'),
      unit: 'ms',
      toleranceSeconds: 60,
    }),
  }),
  kind: ['type', 'action'],
  ignore: ['webhookTimestamp'],
  subject: ['data.id', 'notification.issueId', 'agentSession.id'],
  time: 'createdAt',
  fresh: ['webhookTimestamp'],
})

export const facts: ServiceFacts = {
  title: 'Linear',
  docs: 'https://linear.app/developers/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://linear.app/developers/webhooks',
    'https://github.com/linear/linear/blob/master/packages/sdk/src/webhooks/client.ts',
  ],
  setup: [
    'Open Settings, API, and create a webhook with the address. The settings of an application have webhooks, too.',
    'The secret is the signing secret of the webhook, with its prefix `lin_wh_`.',
  ],
  retries: 'three times, after 1 minute, 1 hour and 6 hours',
  traps: [
    '`webhookId` is the id of the webhook, not of the event. `webhookTimestamp` is new for each attempt.',
  ],
}
