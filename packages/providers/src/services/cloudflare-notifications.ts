import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'

/** Cloudflare: notifications of accounts. */
export const cloudflareNotifications = defineService({
  name: 'cloudflare-notifications',
  signature: sharedToken({ header: 'cf-webhook-auth' }),
  kind: ['alert_type', 'alert_event'],
  subject: ['data.zone_tag', 'data.pool_id', 'policy_id'],
  time: 'ts',
})

export const facts: ServiceFacts = {
  title: 'Cloudflare Notifications',
  docs: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developers.cloudflare.com/notifications/reference/webhook-payload-schema/'],
  setup: [
    'Open Notifications, Destinations, and create a webhook with the address and a random text as the secret.',
    'Add the webhook to the notifications.',
  ],
  retries: 'unknown',
  traps: [
    'The token says nothing about the body.',
    'The test that Cloudflare sends for a new webhook has a text only: its kind is `unknown`.',
  ],
}
