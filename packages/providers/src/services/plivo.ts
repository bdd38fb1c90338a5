import {
  defineService,
  hmac,
  listHeader,
  parseForm,
  sortedForm,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { plivoContent } from '../plivo-content.ts'

/** Plivo: callbacks of calls and messages, with signatures of version 3. */
export const plivo = defineService({
  name: 'plivo',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: listHeader('x-plivo-signature-v3'),
    signedHeaders: ['x-plivo-signature-v3-nonce'],
    forms: sortedForm,
    content: plivoContent,
    // A redelivery can have another nonce.
    identity: (content) => content.slice(0, -2),
  }),
  methods: ['GET', 'POST'],
  parse: parseForm,
  kind: (event) => readKind(event),
  subject: (event) => readSubject(event),
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
})

type Fields = Readonly<Record<string, string | undefined>>

function readKind(event: unknown): string | undefined {
  const { MessageUUID, Status, Event, CallStatus } = Object(event) as Fields
  if (MessageUUID !== undefined) return `message.${Status ?? 'received'}`
  const state = Event ?? CallStatus
  return state === undefined ? undefined : `call.${state}`
}

const readSubject = (event: unknown): string | undefined => {
  const { MessageUUID, CallUUID } = Object(event) as Fields
  return MessageUUID ?? CallUUID
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Plivo',
  docs: 'https://www.plivo.com/docs/voice/concepts/signature-validation',
  checked: '2026-11',
  sources: [
    'https://github.com/plivo/plivo-node/blob/master/lib/utils/v3Security.js',
    'https://docs.plivo.com/docs/voice/xml/request/validation',
    'https://docs.plivo.com/docs/messaging/concepts/signature-validation',
  ],
  confidence: 'primary',
  setup: [
    'Enter the address, with the method POST or GET, as answer or hangup URL of the application, or as callback URL of a call.',
    'The secret is the auth token of the account.',
    'Set the public address of the server exactly as it is entered: Plivo signs it.',
  ],
  retries: 'unknown',
  traps: [
    'Version 2, which Plivo documents for messages and Verify, signs the address and the nonce but no field: such a callback is refused. Only a message with a signature of version 3 is accepted.',
    'Plivo signs the names and values of the fields without borders: one signature is valid for other fields with the same joined text. Such a copy is a duplicate of the first delivery. After the keys are deleted, or if you did not receive the original, treat it as input.',
    'The nonce is not an id: the id is the hash of the sorted fields.',
    'The kind is `message.` or `call.` and the status, as Plivo has no field for it.',
    'The answer is an empty `<Response/>`: a call that needs instructions needs another address.',
  ],
}
