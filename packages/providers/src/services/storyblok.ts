import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Storyblok: webhooks of spaces. */
export const storyblok = defineService({
  name: 'storyblok',
  resends: false,
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'webhook-signature' }),
  kind: 'action',
  distinct: true,
  subject: ['space_id', 'story_id', 'asset_id', 'datasource_slug'],
})

export const facts: ServiceFacts = {
  title: 'Storyblok',
  docs: 'https://www.storyblok.com/docs/concepts/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://www.storyblok.com/docs/concepts/webhooks'],
  setup: [
    'Open Settings, Webhooks of the space, and create a webhook with the address.',
    'Enter a random text as the webhook secret. Storyblok signs nothing without a secret.',
  ],
  retries: 'never; the timeout is 120 seconds',
  traps: [
    'The body has no time and no id: the same story published twice sends equal bodies. Each delivery is a new event.',
  ],
}
