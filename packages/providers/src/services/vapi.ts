import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Vapi: messages to server URLs. */
export const vapi = defineService({
  name: 'vapi',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'message.type',
  subject: 'message.call.id',
  time: 'message.timestamp',
  bodyLimit: 10 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Vapi',
  docs: 'https://docs.vapi.ai/server-url/server-authentication',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/VapiAI/docs/blob/main/fern/server-url/server-authentication.mdx',
    'https://github.com/VapiAI/docs/blob/main/fern/apis/api/openapi.json',
  ],
  setup: [
    'Create a custom credential of the type HMAC: algorithm SHA-256, signature header `x-signature`, encoding hex, payload format `{body}`, and a random text as the secret key.',
    'Enter the address as the server URL of the assistant or of the organization, and select the credential.',
  ],
  retries: 'only with a backoff plan of the server URL',
  traps: [
    'With the default payload format, the signature covers a time, too, and this provider refuses the delivery.',
    'Messages that need an answer, such as `assistant-request` and `tool-calls`, get none: do not select them.',
  ],
}
