import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Vonage: signed webhooks of the Messages and Voice APIs. */
export const vonage = defineService({
  name: 'vonage',
  signature: jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    algorithms: ['HS256'],
    claim: 'payload_hash',
    claims: { iss: 'Vonage' },
  }),
  kind: (event) => readKind(event),
  subject: (event) => readSubject(event),
  time: 'timestamp',
})

type Fields = Readonly<Record<string, string | undefined>>

function readKind(event: unknown): string | undefined {
  const { message_uuid: message, uuid: call, status } = Object(event) as Fields
  if (message !== undefined) return `message.${status ?? 'received'}`
  return call === undefined ? undefined : `call.${status ?? 'received'}`
}

const readSubject = (event: unknown): string | undefined => {
  const { message_uuid: message, uuid: call } = Object(event) as Fields
  return message ?? call
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Vonage',
  docs: 'https://developer.vonage.com/en/getting-started/concepts/webhooks',
  confidence: 'secondary',
  setup: [
    'Open Applications, the application, Edit, and enter the address with the method POST for Messages or Voice.',
    'The secret is the signature secret in API Settings.',
  ],
  traps: [
    'The kind is `message.` or `call.` and the status, as Vonage has no field for it. An incoming message is `message.received`.',
    'The id is the hash of the body. Callbacks of the older SMS API have another signature, and are refused.',
  ],
}
