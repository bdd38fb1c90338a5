import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Ashby: webhooks of an organization. */
export const ashby = defineService({
  name: 'ashby',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'ashby-signature', prefix: 'sha256=' }),
  kind: 'action',
  id: 'webhookActionId',
  subject: ['data.application.id', 'data.offer.id', 'data.job.id'],
  time: 'data.application.updatedAt',
})

export const facts: ServiceFacts = {
  title: 'Ashby',
  docs: 'https://developers.ashbyhq.com/docs/authenticating-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.ashbyhq.com/docs/setting-up-webhooks',
    'https://developers.ashbyhq.com/docs/retries',
    'https://developers.ashbyhq.com/docs/common-payload-data',
  ],
  identity: 'https://developers.ashbyhq.com/docs/common-payload-data',
  setup: [
    'Open Admin, Developer, Webhooks, and create a webhook with the address and a secret token.',
    'The secret is the secret token that you chose.',
  ],
  retries: 'ten attempts with growing delays; a status of 401, 403, 404, 405 or 410 is final',
  traps: [
    'Ashby sends a signed `ping` when the webhook is saved.',
    'Two webhooks with one event have the same `webhookActionId`: an endpoint accepts the first delivery.',
  ],
}
