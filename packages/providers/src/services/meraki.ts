import { bodyToken, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Cisco Meraki: webhook alerts of a network. */
export const meraki = defineService({
  name: 'meraki',
  signature: bodyToken('sharedSecret'),
  kind: (event) => {
    const { alertTypeId, alertType } = Object(event) as Readonly<Record<string, unknown>>
    return alertTypeId ?? alertType
  },
  ignore: ['sentAt'],
  subject: ['networkId', 'deviceSerial'],
  time: ['occurredAt', 'sentAt'],
})

export const facts: ServiceFacts = {
  title: 'Cisco Meraki',
  docs: 'https://developer.cisco.com/meraki/webhooks/introduction',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.cisco.com/meraki/webhooks/introduction',
    'https://create.meraki.io/guides/webhooks/',
  ],
  setup: [
    'Open Network-wide, Alerts, and add an HTTP server with the address and a random text as the shared secret.',
    'The secret is this shared secret.',
  ],
  retries: 'unknown',
  traps: [
    'The secret in the body says nothing about the other members. Events do not contain it.',
    'A payload template changes the body: keep `sharedSecret`, `alertType` and `occurredAt` in it.',
  ],
}
