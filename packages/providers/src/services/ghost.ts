import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Ghost: webhooks of custom integrations. */
export const ghost = defineService({
  name: 'ghost',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-ghost-signature', { signature: 'sha256', timestamp: 't', separator: ', ' }),
    timestamp: signedTime({ unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [body, timestamp],
  }),
  kind: 'event',
  // The event of a changed site has no other member.
  distinct: (event) => (Object(event) as { event?: unknown }).event === 'site.changed',
  subject: ['post.current.id', 'page.current.id', 'member.current.id', 'tag.current.id'],
})

export const facts: ServiceFacts = {
  title: 'Ghost',
  docs: 'https://docs.ghost.org/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/services/webhooks/WebhookTrigger.js',
  ],
  setup: [
    'Open Settings, Advanced, Integrations, add a custom integration, and add a webhook with the address and a secret.',
    'The secret is the one that you chose.',
  ],
  retries: 'up to five times at once; a status of 410 deletes the webhook',
  traps: [
    'Ghost waits 2 seconds for the response.',
    'Versions of Ghost without the member `event` send the kind `unknown`: update Ghost.',
    'Two events `site.changed` have equal bodies: each delivery is a new event, and a retry is one, too.',
  ],
}
