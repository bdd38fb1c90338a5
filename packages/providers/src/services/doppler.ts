import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Doppler: webhooks of projects. */
export const doppler = defineService({
  name: 'doppler',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doppler-signature', prefix: 'sha256=' }),
  kind: 'type',
  distinct: true,
  subject: ['project.slug', 'config.name'],
})

export const facts: ServiceFacts = {
  title: 'Doppler',
  docs: 'https://docs.doppler.com/docs/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.doppler.com/docs/webhooks'],
  setup: [
    'Open the project, Webhooks, and add a webhook with the address.',
    'Enter a random text as the secret, and use the default payload. Doppler signs nothing without a secret.',
  ],
  retries: 'unknown',
  traps: [
    'The body has no time and no id: two changes of the same secret can have equal bodies. Each delivery is a new event.',
  ],
}
