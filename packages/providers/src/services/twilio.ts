import {
  defineService,
  formContent,
  hmac,
  parseForm,
  parseJson,
  sortedForm,
  type ServiceFacts,
} from '@sallyport/webhooks'

/** Twilio: status callbacks and incoming messages and calls. */
export const twilio = defineService({
  name: 'twilio',
  signature: hmac({
    algorithm: 'sha1',
    encoding: 'base64',
    header: 'x-twilio-signature',
    forms: sortedForm,
    content: formContent,
    identity: (content) => content,
  }),
  parse: (body, integers) =>
    body[0] === 0x7b || body[0] === 0x5b ? parseJson(body, integers) : parseForm(body),
  kind: (event) => readKind(event),
  subject: ['MessageSid', 'CallSid', 'ConversationSid', 'id'],
  time: 'time',
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
})

function readKind(event: unknown): string | undefined {
  const { type, EventType, MessageStatus, SmsStatus, CallStatus } = Object(event) as Readonly<
    Record<string, string | undefined>
  >
  if (type !== undefined) return type
  if (EventType !== undefined) return `conversation.${EventType}`
  const message = MessageStatus ?? SmsStatus
  if (message !== undefined) return `message.${message}`
  return CallStatus === undefined ? undefined : `call.${CallStatus}`
}

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Twilio',
  docs: 'https://www.twilio.com/docs/usage/security#validating-requests',
  confidence: 'primary',
  setup: [
    'Enter the address as webhook or status callback of the phone number, messaging service or application.',
    'The secret is the auth token of the account.',
    'Set the public address of the server exactly as it is entered: Twilio signs it. Enter an address without a query: fields can move into a query.',
  ],
  retries: 'once after a failed connection, unless the address has other settings',
  traps: [
    'Twilio signs the names and values of the fields without borders: one signature is valid for other fields with the same joined text. Such a copy is a duplicate of the first delivery. After the keys are deleted, or if you did not receive the original, treat it as input.',
    'The kind is `message.`, `call.` or `conversation.` and the status, as Twilio has no field for it.',
  ],
}
