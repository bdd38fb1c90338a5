import {
  defineService,
  hmac,
  type Handshake,
  type HandshakeRequest,
  type ServiceFacts,
} from '@sallyport/webhooks'

/** Xero sends an empty list several times, in part with wrong signatures, and expects answers without a body. */
const intentToReceive: Handshake = {
  methods: ['POST'],
  async answer({ body, verify }: HandshakeRequest) {
    if (body.length > 1000 || !new TextDecoder().decode(body).includes('"events":[]')) return undefined
    return { status: (await verify()) ? 200 : 401, contentType: 'text/plain', body: '' }
  },
}

/** Xero: webhooks of an app. */
export const xero = defineService({
  name: 'xero',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-xero-signature' }),
  events: 'events.*',
  kind: ['eventCategory', 'eventType'],
  // The events have times in milliseconds; the rest of the body belongs to the request.
  ignore: ['/entropy', '/firstEventSequence', '/lastEventSequence'],
  subject: ['tenantId', 'resourceId'],
  time: 'eventDateUtc',
  handshake: intentToReceive,
  answer: { status: 200 },
})

export const facts: ServiceFacts = {
  title: 'Xero',
  docs: 'https://developer.xero.com/documentation/guides/webhooks/overview/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developer.xero.com/documentation/guides/webhooks/overview/',
    'https://developer.xero.com/documentation/webhooks/configuring-your-server',
  ],
  setup: [
    'Open My Apps, the app, Webhooks, select the events and enter the address.',
    'The secret is the webhooks key of the app.',
    'Send the intent to receive: Xero checks that wrong signatures are refused.',
  ],
  retries: 'for up to 24 hours; Xero then disables the webhook',
  traps: ['Xero requires a response without a body within 5 seconds, and 401 for a wrong signature.'],
}
