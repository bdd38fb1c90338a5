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
  subject: 'groupKey',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Grafana Alerting',
  docs: 'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  confidence: 'primary',
  setup: [
    'Open Alerting, Contact points, and create one of the type Webhook with the address and the method POST.',
    'Open HMAC Signature, enter a random text as the secret, and `X-Grafana-Alerting-Timestamp` as the timestamp header.',
    'Leave the signature header at its default, and use no custom payload. It needs Grafana 12 or later.',
  ],
  traps: [
    'Without the timestamp header, Grafana signs the body only, and this provider refuses the delivery.',
    'A notification that Grafana repeats while nothing changes is a duplicate.',
  ],
}
