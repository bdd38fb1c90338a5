import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Webex: webhooks of an integration or a bot. */
export const webex = defineService({
  name: 'webex',
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-spark-signature' }),
  kind: ['resource', 'event'],
  subject: ['data.roomId', 'data.id'],
  time: (event) => readTime(event),
})

/** The time of the resource: `created` of the delivery is the time of the webhook. */
const readTime = (event: unknown): unknown =>
  (Object(event) as { readonly data?: { readonly created?: string } }).data?.created

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Webex',
  docs: 'https://developer.webex.com/docs/receive-and-verify-webhooks',
  confidence: 'primary',
  setup: [
    'Create a webhook with the address as `targetUrl` and a random `secret` with the Webhooks API.',
    'The secret is this text. Webex signs nothing without it.',
  ],
  traps: [
    '`id` is the id of the webhook, not of the delivery: the id of an event is the hash of the body.',
    'A message has only its ids: read the text with the API.',
    'Subscriptions of Webex Contact Center have another form, and are refused.',
  ],
}
