import {
  defineService,
  formContent,
  hmac,
  parseFormJson,
  sortedForm,
  type Handshake,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** The probe of a new address, and the test delivery, whose signature has another key. */
const probe = fixedHandshake({ methods: ['HEAD'] })
const test = fixedHandshake({ when: { form: { mandrill_events: '[]' } } })
const handshake: Handshake = {
  methods: ['HEAD', 'POST'],
  answer: (request) => (request.method === 'HEAD' ? probe : test).answer(request),
}

/** Mailchimp Transactional (Mandrill): webhooks. */
export const mandrill = defineService({
  name: 'mandrill',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha1',
    encoding: 'base64',
    header: 'x-mandrill-signature',
    forms: sortedForm,
    content: formContent,
    identity: (content) => content,
  }),
  parse: parseFormJson('mandrill_events'),
  events: '*',
  kind: (event) => {
    const { event: name, type } = Object(event) as Readonly<Record<string, unknown>>
    return name ?? type
  },
  subject: ['_id', 'reject.email'],
  time: 'ts',
  handshake,
})

export const facts: ServiceFacts = {
  title: 'Mailchimp Transactional (Mandrill)',
  docs: 'https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://github.com/anymail/django-anymail/blob/main/anymail/webhooks/mandrill.py'],
  setup: [
    'Open Settings, Webhooks, and add a webhook with the address.',
    'The secret is the key of the webhook.',
    'Set the public address of the server exactly as it is entered: Mandrill signs it.',
  ],
  retries: 'unknown',
  traps: [
    'Mandrill signs the names and values of the fields without borders: one signature is valid for other fields with the same joined text. Such a copy is a duplicate of the first delivery. After the keys are deleted, or if you did not receive the original, treat it as input.',
    'One delivery can have up to 1000 events.',
    '`_id` is the id of the message: the id of an event is the hash of the delivery with the place of the event.',
  ],
}
