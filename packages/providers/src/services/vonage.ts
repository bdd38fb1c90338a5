import { defineService, parseForm, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { readVonageKind, readVonageSubject } from '../vonage-kind.ts'

const encoder = new TextEncoder()

/** Vonage: signed webhooks of the Messages, Voice and Verify APIs. */
export const vonage = defineService({
  name: 'vonage',
  signature: jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    algorithms: ['HS256'],
    claim: 'payload_hash',
    claims: { iss: 'Vonage' },
    // Vonage hashes the query as JSON in the order of its parameters.
    signedForm: ({ method, body }) =>
      method === 'GET' ? encoder.encode(JSON.stringify(parseForm(body))) : body,
  }),
  methods: ['GET', 'POST'],
  kind: readVonageKind,
  subject: readVonageSubject,
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Vonage',
  docs: 'https://developer.vonage.com/en/getting-started/concepts/webhooks',
  checked: '2026-11',
  sources: [
    'https://api.support.vonage.com/hc/en-us/articles/19033783342876-How-do-I-verify-that-the-Voice-API-Webhook-request-and-it-s-payload-has-not-been-tampered-during-transit',
    'https://developer.vonage.com/voice/voice-api/webhook-reference',
    'https://api.support.vonage.com/hc/en-us/articles/360028543292-How-long-does-Vonage-retry-inbound-messages-for-the-Messages-and-Dispatch-APIs-',
    'https://api.support.vonage.com/hc/en-us/articles/115016024247-What-happens-if-the-NCCO-download-request-fails',
  ],
  confidence: 'primary',
  setup: [
    'Open Applications, the application, Edit, and enter the address with the method POST or GET for Messages, Voice or Verify.',
    'The secret is the signature secret in API Settings.',
  ],
  retries:
    'messages for 24 hours after a status of 429 or 5xx, after 5 seconds, 1, 5 and then every 15 minutes; the answer webhook of calls once more after a failed connection or a status of 429, 503 or 504',
  traps: [
    'The kind is `message.`, `call.` or `verify.` and the status, as Vonage has no field for it. An incoming message is `message.received`.',
    'The id is the hash of the body. Callbacks of the older SMS API have another signature, and are refused.',
    'A delivery by GET is the query as JSON. Without the claim `payload_hash`, it is refused.',
  ],
}
