import { defineService, parseForm, parseJson, startsLikeJson, type ServiceFacts } from '@sallyport/webhooks'
import { readTwilioKind, readTwilioSubject, readTwilioTime } from '../twilio-kind.ts'
import { twilioSignature } from '../twilio-signature.ts'

/** Twilio: callbacks of messages, calls and other products, and Event Streams. */
export const twilio = defineService({
  name: 'twilio',
  createsSecret: true,
  resends: false,
  signature: twilioSignature,
  methods: ['GET', 'POST'],
  parse: (body, integers) => (startsLikeJson(body) ? parseJson(body, integers) : parseForm(body)),
  // Event Streams sends lists, and every other product sends one form.
  events: '*',
  kind: readTwilioKind,
  // Not every form has a time or a number: a caller can enter the same digits twice.
  distinct: (event) => isForm(event),
  deliveryId: { header: 'i-twilio-idempotency-token' },
  subject: readTwilioSubject,
  time: readTwilioTime,
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
})

/** An event of Event Streams has an id. */
const isForm = (event: unknown): boolean => !Object.hasOwn(Object(event) as object, 'specversion')

export const facts: ServiceFacts = {
  title: 'Twilio',
  docs: 'https://www.twilio.com/docs/usage/security#validating-requests',
  checked: '2026-11',
  sources: [
    'https://github.com/twilio/twilio-node/blob/main/src/webhooks/webhooks.ts',
    'https://www.twilio.com/docs/usage/webhooks/webhook-shared-keys',
    'https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides',
    'https://github.com/twilio/twilio-agent-connect-python/blob/main/docs/horizontal-scaling.md',
    'https://www.twilio.com/docs/events/event-delivery-and-duplication',
    'https://www.twilio.com/docs/voice/twiml/record',
    'https://www.twilio.com/docs/usage/api/usage-trigger',
    'https://www.twilio.com/docs/proxy/api/webhooks',
    'https://twilio.com/docs/taskrouter/api/event/reference',
    'https://twilio.com/docs/usage/troubleshooting/debugging-event-webhooks',
  ],
  confidence: 'primary',
  setup: [
    'Enter the address as webhook or status callback of the phone number, messaging service or application, with the method POST or GET.',
    'The secret is the auth token of the account. With a shared key of the Webhooks configuration API, its secret is a second secret.',
    'Set the public address of the server exactly as it is entered: Twilio signs it. Enter an address without a query: fields can move into a query.',
  ],
  retries:
    'once after a failed connection: a 5xx is final, unless the address has other settings, such as `#rp=all`; Event Streams for up to 4 hours',
  traps: [
    'Twilio signs the names and values of the fields without borders: one signature is valid for other fields with the same joined text. Such a copy is a duplicate of the first delivery. After the keys are deleted, or if you did not receive the original, treat it as input.',
    'Two callbacks can have equal fields, such as the same digits twice in one call: `i-twilio-idempotency-token`, which a retry repeats, tells them apart. It is not signed: a captured delivery under an invented token is a new event.',
    'The kind is the product and the state, such as `message.delivered`, `call.completed`, `recording.completed` or `conference.participant-join`, as Twilio has no field for it. The end of `<Record>` is `record.finished`, and the end of `<Dial>` is `dial.` and the state of the other call. TaskRouter and Event Streams have names of their own.',
    'Event Streams sends several events in a delivery.',
  ],
}
