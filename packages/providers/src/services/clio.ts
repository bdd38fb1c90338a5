import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Clio: webhooks of Clio Manage. */
export const clio = defineService({
  name: 'clio',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hook-signature' }),
  handshake: echoHandshake({
    from: { header: 'x-hook-secret' },
    as: { header: 'x-hook-secret' },
    establishesSecret: true,
  }),
  kind: 'meta.event',
  subject: ['meta.webhook_id', 'data.id'],
  distinct: (event) => !hasTag(event),
})

/** The tag changes with each update. A webhook can omit it. */
function hasTag(event: unknown): boolean {
  const { data } = Object(event) as { readonly data?: { readonly etag?: unknown } | null }
  return typeof data?.etag === 'string'
}

export const facts: ServiceFacts = {
  title: 'Clio',
  docs: 'https://docs.developers.clio.com/guides/clio-manage/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.developers.clio.com/guides/clio-manage/webhooks/',
    'https://github.com/hookdeck/webhook-skills/tree/main/skills/clio-webhooks',
  ],
  setup: [
    'Create a webhook with `POST /api/v4/webhooks.json`: `url` is the address, and `fields` has `id,etag`. The gateway answers the handshake. An endpoint accepts it for one hour after you create the endpoint, and after `POST /endpoints/{id}/handshake`.',
    'The secret is `X-Hook-Secret` of the handshake, and `shared_secret` of the webhook. Each webhook has a separate secret: use an endpoint per webhook, which stores the secret, or add it to the secrets of the provider.',
    'Renew the webhook before `expires_at`: after 3 days by default, and 31 days at most.',
  ],
  retries: 'unknown',
  traps: [
    'A body does not name its model: `meta.webhook_id` does.',
    'Without `etag` among the fields, two updates of one record can have equal bodies: each attempt is then an event.',
    'Webhooks of the Clio Platform are another system.',
  ],
}
