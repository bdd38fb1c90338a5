import {
  defineService,
  hmac,
  listHeader,
  parseForm,
  sortedForm,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { plivoContent } from '../plivo-content.ts'
import { readPlivoKind, readPlivoSubject } from '../plivo-kind.ts'

/** Plivo: callbacks of calls and messages, with signatures of version 3. */
export const plivo = defineService({
  name: 'plivo',
  createsSecret: true,
  resends: false,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: listHeader('x-plivo-signature-v3'),
    signedHeaders: ['x-plivo-signature-v3-nonce'],
    forms: sortedForm,
    content: plivoContent,
    identity: (content) => content.slice(0, -2),
  }),
  methods: ['GET', 'POST'],
  parse: parseForm,
  kind: readPlivoKind,
  // No field has the time or the number of a callback: a caller can enter the same digits twice.
  distinct: true,
  deliveryId: { header: 'x-plivo-signature-v3-nonce' },
  subject: readPlivoSubject,
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
})

export const facts: ServiceFacts = {
  title: 'Plivo',
  docs: 'https://www.plivo.com/docs/voice/concepts/signature-validation',
  checked: '2026-11',
  sources: [
    'https://github.com/plivo/plivo-node/blob/master/lib/utils/v3Security.js',
    'https://docs.plivo.com/docs/voice/xml/request/validation',
    'https://docs.plivo.com/docs/messaging/concepts/signature-validation',
    'https://docs.plivo.com/docs/voice/concepts/callback-configurations',
    'https://docs.plivo.com/docs/voice/xml/getinput',
  ],
  confidence: 'primary',
  setup: [
    'Enter the address, with the method POST or GET, as answer or hangup URL of the application, or as callback URL of a call.',
    'The secret is the auth token of the account.',
    'Set the public address of the server exactly as it is entered: Plivo signs it.',
  ],
  retries:
    'once after a failed connection or without an answer: a 5xx is final, unless the address has other settings, such as `#rp=all`',
  traps: [
    'Version 2, which Plivo documents for messages and Verify, signs the address and the nonce but no field: such a callback is refused. Only a message with a signature of version 3 is accepted.',
    'Plivo signs the names and values of the fields without borders: one signature is valid for other fields with the same joined text. Such a copy is a duplicate of the first delivery. After the keys are deleted, or if you did not receive the original, treat it as input.',
    'Two callbacks can have equal fields, such as the same digits twice in one call: the signed nonce tells them apart. A retry with another nonce is a new event, too.',
    'The kind is `message.` or `call.` and the status, as Plivo has no field for it.',
    'The answer is an empty `<Response/>`: a call that needs instructions needs another address.',
  ],
}
