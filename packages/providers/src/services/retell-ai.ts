import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Retell AI: webhooks of accounts and agents. */
export const retellAi = defineService({
  name: 'retell-ai',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-retell-signature', { timestamp: 'v', signature: 'd' }),
    timestamp: signedTime({ unit: 'ms' }),
    content: ({ timestamp, body }) => [body, timestamp],
  }),
  kind: 'event',
  subject: ['call.call_id', 'chat.chat_id'],
  time: (event) => readTime(event),
  bodyLimit: 10 * 1024 * 1024,
})

function readTime(event: unknown): unknown {
  const { call, chat } = Object(event) as { call?: Times; chat?: Times }
  const { end_timestamp, start_timestamp } = call ?? chat ?? {}
  return end_timestamp ?? start_timestamp
}

interface Times {
  readonly start_timestamp?: number
  readonly end_timestamp?: number
}

export const facts: ServiceFacts = {
  title: 'Retell AI',
  docs: 'https://docs.retellai.com/features/webhook-overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.retellai.com/features/webhook-overview'],
  setup: [
    'Open Settings, Webhooks, or the webhook settings of an agent, and enter the address.',
    'The secret is the API key with the label "webhook".',
  ],
  retries: 'up to three times; the timeout is ten seconds',
  traps: ['The signature covers the body before the time, without a separator.'],
}
