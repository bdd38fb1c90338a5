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
  kind: (event) => readKind(event),
  id: 'data.id',
  ignore: ['meta.attempt'],
  subject: (event) => readSubject(event),
  time: (event) => readFields(event).occurred_at ?? readFields(event).time_clicked,
})

interface Fields {
  readonly event_type?: string
  readonly record_type?: string
  readonly occurred_at?: string
  readonly time_clicked?: string
  readonly message_id?: string
  readonly payload?: { readonly call_leg_id?: string; readonly id?: string }
}

/** A click on a short link has no envelope. */
function readFields(event: unknown): Fields {
  const fields = Object(event) as Fields & { readonly data?: Fields }
  return fields.data ?? fields
}

const readKind = (event: unknown): string | undefined => {
  const { event_type: type, record_type: record } = readFields(event)
  return type ?? record
}

const readSubject = (event: unknown): string | undefined => {
  const { payload, message_id: message } = readFields(event)
  return payload?.call_leg_id ?? payload?.id ?? message
}

export const facts: ServiceFacts = {
  title: 'Telnyx',
  docs: 'https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.telnyx.com/docs/voice/programmable-voice/receiving-webhooks/index',
    'https://developers.telnyx.com/api-reference/callbacks/replaced-link-click',
  ],
  identity: 'https://developers.telnyx.com/docs/voice/programmable-voice/receiving-webhooks/index',
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
