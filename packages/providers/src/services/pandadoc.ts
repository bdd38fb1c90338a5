import { defineService, hmac, querySignature, type ServiceFacts } from '@sallyport/webhooks'

/** PandaDoc: webhook subscriptions of a workspace. */
export const pandadoc = defineService({
  name: 'pandadoc',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: querySignature('signature') }),
  events: '*',
  kind: 'event',
  subject: 'data.id',
  time: ['data.date_modified', 'data.date_created'],
})

export const facts: ServiceFacts = {
  title: 'PandaDoc',
  docs: 'https://developers.pandadoc.com/docs/webhook-setup',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.pandadoc.com/docs/webhook-verification',
    'https://developers.pandadoc.com/docs/webhook-deduplication',
    'https://developers.pandadoc.com/changelog/2026-07-20-webhooks-deduplicate',
    'https://developers.pandadoc.com/docs/webhooks',
  ],
  setup: [
    'Open Developer Dashboard, Configuration, Webhooks, and create a subscription with the address.',
    'The secret is the shared key of the subscription.',
  ],
  retries: 'after a failure, and by hand in the dashboard; the timeout is 20 seconds',
  traps: [
    'The signature is in the query of the address: the server needs its public address, and must not drop the query.',
    'One delivery can have several events.',
    '`x-pandadoc-webhook-event-id` is not signed: the id is the hash of the event, which has the time of the change.',
  ],
}
