import { defineService, hmac, numberedHeaders, type ServiceFacts } from '@sallyport/webhooks'
import { parseDocusign, readDocusignKind, readDocusignTime, readEnvelopeId } from '../docusign-message.ts'

/** DocuSign Connect: messages in JSON, and in XML of earlier configurations. */
export const docusign = defineService({
  name: 'docusign',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: numberedHeaders('x-docusign-signature-', 100),
  }),
  parse: parseDocusign,
  kind: readDocusignKind,
  ignore: ['retryCount'],
  subject: readEnvelopeId,
  time: readDocusignTime,
  bodyLimit: 25 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'DocuSign Connect',
  docs: 'https://developers.docusign.com/platform/webhooks/connect/',
  checked: '2026-11',
  sources: [
    'https://developers.docusign.com/platform/webhooks/connect/json-sim-event-model',
    'https://developers.docusign.com/platform/webhooks/connect/legacy-message-formats',
    'https://developers.docusign.com/platform/webhooks/connect/create-webhook-listener.md',
  ],
  confidence: 'primary',
  setup: [
    'Open Settings, Connect, and add a custom configuration with the address, JSON (SIM) and HMAC signatures.',
    'Add an HMAC key under Connect Keys. The secret is this key, whole, as text.',
  ],
  retries: 'for up to 15 days with growing delays',
  traps: [
    'The key looks like base64 and is not decoded.',
    '`retryCount` changes between attempts: the hash of the body omits it.',
    'The documentation does not say whether an attempt repeats `generatedDateTime`: if it does not, a second attempt is another event.',
    'The event of a message in XML is its text. Its kind is the status of the envelope, such as `envelope-completed`, as for aggregates in JSON.',
  ],
}
