import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Veriff: decision and event webhooks. */
export const veriff = defineService({
  name: 'veriff',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hmac-signature' }),
  kind: (event) => {
    const { action, eventType, checkType, verification } = Object(event) as Event
    return action ?? eventType ?? checkType ?? (verification?.status && `verification.${verification.status}`)
  },
  subject: ['verification.id', 'data.verification.id', 'sessionId', 'id'],
  time: ['verification.decisionTime', 'time'],
})

interface Event {
  readonly action?: string
  readonly eventType?: string
  readonly checkType?: string
  readonly verification?: { readonly status?: string }
}

export const facts: ServiceFacts = {
  title: 'Veriff',
  docs: 'https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://devdocs.veriff.com/docs/hmac-authentication-and-endpoint-security',
    'https://devdocs.veriff.com/docs/event-webhook',
    'https://devdocs.veriff.com/v1/docs/user-defined-statuses-webhook',
    'https://devdocs.veriff.com/docs/full-auto-webhook',
    'https://devdocs.veriff.com/docs/watchlist-screening-webhook',
    'https://help.veriff.com/en/articles/3250261-how-long-does-it-take-for-veriff-to-communicate-a-decision',
  ],
  setup: [
    'Open API Keys, the integration, Settings, and enter the addresses of the webhooks.',
    'The secret is the shared secret key of the integration.',
  ],
  retries: 'about once an hour for up to seven days, until the answer is 200',
  traps: ['`x-signature` is an earlier hash, not an HMAC: the provider ignores it.'],
}
