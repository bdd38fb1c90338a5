import {
  defineService,
  hmac,
  jsonField,
  jsonSignature,
  type SignatureScheme,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { readJsonField, writeJsonField } from '../dropbox-sign-form.ts'

const json: SignatureScheme = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: jsonSignature('event.event_hash'),
  content: ({ body }) => [jsonField(body, 'event.event_time'), jsonField(body, 'event.event_type')],
  covers: ['event.event_time', 'event.event_type'],
})

/** Dropbox Sign: callbacks of an account or an app. */
export const dropboxSign = defineService({
  name: 'dropbox-sign',
  createsSecret: true,
  signature: {
    ...json,
    async verify({ method, headers, body: form }, secrets, now) {
      const body = readJsonField(form)
      return body
        ? json.verify({ method, headers, body }, secrets, now)
        : { verified: false, reason: 'malformed' }
    },
    sign: () => ({}),
    signBody: async (...request) => writeJsonField((await json.signBody?.(...request)) ?? request[0].body),
  },
  kind: 'event.event_type',
  subject: ['signature_request.signature_request_id', 'template.template_id', 'account_guid'],
  time: 'event.event_time',
  answer: { status: 200, contentType: 'text/plain', body: 'Hello API Event Received' },
})

export const facts: ServiceFacts = {
  title: 'Dropbox Sign',
  docs: 'https://developers.hellosign.com/docs/events/walkthrough/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://help.dropbox.com/integrations/example-of-a-dropbox-sign-callback-event',
    'https://developers.hellosign.com/docs/events/walkthrough/',
  ],
  setup: [
    'Open Settings, API, and enter the address as account callback, or as event callback of an API app.',
    'The secret is the API key of the account.',
  ],
  retries: 'without the expected answer; the schedule is not confirmed',
  covers: 'the time and the name of the event',
  traps: [
    'A person who reads one delivery can send other data with its time and name: read the signature request again with the API.',
    'Dropbox Sign posts a form with JSON in the field `json`, and sends again without the expected answer.',
  ],
}
