import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Veriff: decision and event webhooks. */
export const veriff = defineService({
  name: 'veriff',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hmac-signature' }),
  kind: (event) => {
    const { action, verification } = Object(event) as { action?: string; verification?: { status?: string } }
    return action ?? (verification?.status && `verification.${verification.status}`)
  },
  subject: ['verification.id', 'id'],
  time: 'verification.decisionTime',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Veriff',
  docs: 'https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security',
  confidence: 'primary',
  setup: [
    'Open API Keys, the integration, Settings, and enter the addresses of the webhooks.',
    'The secret is the shared secret key of the integration.',
  ],
  traps: ['`x-signature` is an earlier hash, not an HMAC: the provider ignores it.'],
}
