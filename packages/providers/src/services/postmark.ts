import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Postmark: webhooks of a message stream. */
export const postmark = defineService({
  name: 'postmark',
  signature: basicAuth(),
  kind: (event) => {
    const { RecordType } = Object(event) as Readonly<Record<string, unknown>>
    return RecordType ?? 'Inbound'
  },
  subject: 'MessageID',
  time: (event) => {
    const times = Object(event) as Readonly<Record<string, unknown>>
    return (
      times['DeliveredAt'] ?? times['BouncedAt'] ?? times['ReceivedAt'] ?? times['ChangedAt'] ?? times['Date']
    )
  },
  bodyLimit: 50 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Postmark',
  docs: 'https://postmarkapp.com/developer/webhooks/webhooks-overview',
  checked: '2026-11',
  sources: [
    'https://postmarkapp.com/developer/webhooks/webhooks-overview',
    'https://postmarkapp.com/support/article/understanding-inbound-webhook-retries-in-postmark',
  ],
  confidence: 'primary',
  setup: [
    'Open the message stream, Webhooks, and add a webhook with the address and basic auth credentials.',
    'The secret is `username:password`.',
  ],
  retries:
    'inbound messages ten times within 10.5 hours, bounces ten times, others three times; a status of 403 ends the attempts',
  traps: [
    'The password says nothing about the body.',
    'Inbound messages have no `RecordType`: their kind is `Inbound`.',
  ],
}
