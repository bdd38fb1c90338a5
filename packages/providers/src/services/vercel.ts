import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Vercel: webhooks of teams and integrations. */
export const vercel = defineService({
  name: 'vercel',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-vercel-signature' }),
  kind: 'type',
  id: 'id',
  subject: 'payload.deployment.id',
  time: 'createdAt',
})

export const facts: ServiceFacts = {
  title: 'Vercel',
  docs: 'https://vercel.com/docs/webhooks/webhooks-api',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://vercel.com/docs/webhooks/webhooks-api'],
  identity: 'https://vercel.com/docs/webhooks/webhooks-api',
  setup: [
    'Open the settings of the team, Webhooks, and create a webhook with the address.',
    'The secret is shown once. For the webhook of an integration, the secret is its client secret.',
  ],
  retries: 'for up to 24 hours with growing delays',
}
