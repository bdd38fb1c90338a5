import { defineService, ed25519, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Telnyx: webhooks of version 2 of an account. */
export const telnyx = defineService({
  name: 'telnyx',
  signature: ed25519({
    header: 'telnyx-signature-ed25519',
    encoding: 'base64',
    timestamp: signedTime({ header: 'telnyx-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, '|', body],
    keyEncoding: 'base64',
  }),
  kind: 'data.event_type',
  id: 'data.id',
  subject: (event) => readSubject(event),
  time: 'data.occurred_at',
})

interface Event {
  readonly data?: { readonly payload?: { readonly call_leg_id?: string; readonly id?: string } }
}

const readSubject = (event: unknown): string | undefined => {
  const { payload } = (Object(event) as Event).data ?? {}
  return payload?.call_leg_id ?? payload?.id
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Telnyx',
  docs: 'https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks',
  confidence: 'primary',
  setup: [
    'Open the messaging profile or the voice application in Mission Control, and enter the address with the API version 2.',
    'The secret is the public key in Keys & Credentials, Public Key, in base64.',
  ],
  retries: 'up to three times, then to the failover address',
  traps: [
    '`meta.attempt` differs between attempts, so that the body of a retry is another one: the id is `data.id`.',
    'Form callbacks of API version 1 and TeXML have another scheme, and are refused.',
  ],
}
