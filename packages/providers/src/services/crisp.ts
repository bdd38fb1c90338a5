import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Crisp: web hooks of a website or a plugin. */
export const crisp = defineService({
  name: 'crisp',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-crisp-signature',
    timestamp: signedTime({ header: 'x-crisp-request-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['[', timestamp, ';', body, ']'],
  }),
  kind: 'event',
  subject: ['website_id', 'data.session_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Crisp',
  docs: 'https://docs.crisp.chat/guides/web-hooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.crisp.chat/guides/web-hooks/plugin-hooks/'],
  setup: [
    'Open Settings, Website Settings, Advanced, Web Hooks, and add the address, or configure the hooks of a plugin.',
    'The secret is the signing secret of the hook.',
  ],
  retries: 'unknown',
}
