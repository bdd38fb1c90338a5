import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Grafana Alerting: contact points of the type webhook. */
export const grafana = defineService({
  name: 'grafana',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-grafana-alerting-signature',
    timestamp: signedTime({ header: 'x-grafana-alerting-timestamp' }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
  }),
  kind: 'status',
  distinct: true,
  subject: 'groupKey',
})

export const facts: ServiceFacts = {
  title: 'Grafana Alerting',
  docs: 'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://github.com/grafana/alerting/blob/main/http/hmac.go'],
  setup: [
    'Open Alerting, Contact points, and create one of the type Webhook with the address and the method POST.',
    'Open HMAC Signature, enter a random text as the secret, and `X-Grafana-Alerting-Timestamp` as the timestamp header.',
    'Leave the signature header at its default, and use no custom payload. It needs Grafana 12 or later.',
  ],
  retries: 'after a status of 429 or 5xx and without an answer, until the notification times out',
  traps: [
    'Without the timestamp header, Grafana signs the body only, and this provider refuses the delivery.',
    'Grafana repeats a notification while nothing changes: each delivery is a new event, and a retry is one, too.',
  ],
}
