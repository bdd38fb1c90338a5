import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** Webflow: webhooks of a site. */
export const webflow = defineService({
  name: 'webflow',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-webflow-signature',
    timestamp: signedTime({ header: 'x-webflow-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => [timestamp, ':', body],
  }),
  kind: 'triggerType',
  subject: ['payload.siteId', 'payload.site', 'payload.id'],
  time: (event) => readTime(event),
  distinct: (event) => canRepeat(event),
})

const timeNames = ['submittedAt', 'publishedOn', 'lastUpdated', 'createdOn', 'deletedOn', 'acceptedOn']

function readTime(event: unknown): unknown {
  const payload = Object((Object(event) as { readonly payload?: unknown }).payload) as Record<string, unknown>
  const name = timeNames.find((one) => Object.hasOwn(payload, one))
  return name === undefined ? undefined : payload[name]
}

/** The time of an unpublished item is that of its last change. */
const canRepeat = (event: unknown): boolean =>
  readTime(event) === undefined ||
  (Object(event) as { readonly triggerType?: unknown }).triggerType === 'collection_item_unpublished'

export const facts: ServiceFacts = {
  title: 'Webflow',
  docs: 'https://developers.webflow.com/data/docs/working-with-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.webflow.com/data/reference/all-events',
    'https://developers.webflow.com/data/docs/working-with-webhooks',
  ],
  setup: [
    'Open the site settings, Apps & integrations, Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook; for webhooks of an OAuth app, its client secret.',
  ],
  retries: 'three times, every 10 minutes',
  traps: [
    'The payloads of `ecomm_inventory_changed` and `collection_item_unpublished` can be equal for different changes: each delivery is a new event.',
  ],
}
