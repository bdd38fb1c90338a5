import { defineService, hmac, numberedHeaders, type ServiceFacts } from '@sallyport/webhooks'

/** DocuSign Connect: JSON messages. */
export const docusign = defineService({
  name: 'docusign',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: numberedHeaders('x-docusign-signature-', 100),
  }),
  kind: 'event',
  ignore: ['retryCount'],
  subject: 'data.envelopeId',
  time: 'generatedDateTime',
  bodyLimit: 25 * 1024 * 1024,
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'DocuSign Connect',
  docs: 'https://developers.docusign.com/platform/webhooks/connect/',
  confidence: 'primary',
  setup: [
    'Open Settings, Connect, and add a custom configuration with the address, JSON (SIM) and HMAC signatures.',
    'Add an HMAC key under Connect Keys. The secret is this key, whole, as text.',
  ],
  retries: 'for up to 15 days with growing delays',
  traps: [
    'The key looks like base64 and is not decoded.',
    '`retryCount` changes between attempts: the hash of the body omits it.',
    'Messages in XML have no kind that the provider reads: they are quarantined.',
  ],
}
