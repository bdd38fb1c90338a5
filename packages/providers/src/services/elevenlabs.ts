import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** ElevenLabs: webhooks of workspaces. */
export const elevenlabs = defineService({
  name: 'elevenlabs',
  createsSecret: true,
  resends: false,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('elevenlabs-signature', { timestamp: 't', signature: 'v0' }),
    timestamp: signedTime({ toleranceSeconds: 1800 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  subject: ['data.conversation_id', 'data.request_id', 'data.voice_id'],
  time: 'event_timestamp',
  bodyLimit: 50 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'ElevenLabs',
  docs: 'https://elevenlabs.io/docs/overview/administration/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/elevenlabs/elevenlabs-docs/blob/main/fern/docs/pages/product-guides/administration/webhooks.mdx',
  ],
  setup: [
    'Open Settings, Webhooks, and create a webhook with the address and HMAC as the authentication method.',
    'The secret is shown once. Then select the webhook in the settings of Agents or of the workspace.',
  ],
  retries: 'never; ElevenLabs disables a webhook after ten failures',
  traps: ['`post_call_audio` has the recording in base64, with several megabytes.'],
}
