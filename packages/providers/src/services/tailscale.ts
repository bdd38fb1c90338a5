import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Tailscale: webhooks of a tailnet. */
export const tailscale = defineService({
  name: 'tailscale',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('tailscale-webhook-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  events: '*',
  // Later events wait for a failed delivery, and can join it.
  regroups: true,
  kind: 'type',
  subject: ['tailnet', 'data.nodeID'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Tailscale',
  docs: 'https://tailscale.com/kb/1213/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/tailscale/tailscale/blob/main/docs/webhooks/example.go',
    'https://tailscale.com/kb/1213/webhooks',
  ],
  setup: [
    'Open Settings, Webhooks in the admin console, and add an endpoint with the address, without a format of another destination.',
    'The secret is the secret of the endpoint, which the console shows once.',
  ],
  retries: 'until the answer is 2xx: later events wait, and how often is unknown',
  traps: ['A delivery is a list of events. An event has no id: its content identifies it.'],
}
