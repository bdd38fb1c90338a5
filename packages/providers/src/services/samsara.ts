import { base64Secret, defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Samsara: webhooks of an organization. */
export const samsara = defineService({
  name: 'samsara',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-samsara-signature',
    prefix: 'v1=',
    timestamp: signedTime({ header: 'x-samsara-timestamp' }),
    content: ({ timestamp, body }) => ['v1:', timestamp, ':', body],
    key: base64Secret(),
  }),
  kind: 'eventType',
  id: 'eventId',
  subject: (event) => readSubject(event),
  time: ['eventTime', 'eventMs'],
})

interface Event {
  readonly data?: Readonly<Record<string, { readonly id?: string } | undefined>>
  readonly event?: { readonly alertConditionId?: string }
}

const readSubject = (event: unknown): string | undefined => {
  const { data, event: alert } = Object(event) as Event
  return data?.['vehicle']?.id ?? data?.['driver']?.id ?? data?.['address']?.id ?? alert?.alertConditionId
}

export const facts: ServiceFacts = {
  title: 'Samsara',
  docs: 'https://developers.samsara.com/docs/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.samsara.com/docs/webhooks',
    'https://developers.samsara.com/docs/webhook-reference',
    'https://developers.samsara.com/docs/webhooks-v1-reference',
  ],
  identity: 'https://developers.samsara.com/docs/webhooks',
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'The secret is the secret key of the webhook, in base64.',
  ],
  retries: 'up to five attempts',
}
