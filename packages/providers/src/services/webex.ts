import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Webex: webhooks of an integration or a bot. */
export const webex = defineService({
  name: 'webex',
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-spark-signature' }),
  kind: ['resource', 'event'],
  distinct: (event) => isUntimedUpdate(event),
  subject: ['data.roomId', 'data.id'],
  time: (event) => readTime(event),
})

interface Notification {
  readonly event?: string
  readonly data?: { readonly created?: string; readonly updated?: string }
}

/** The time of the resource: `created` of the delivery is the time of the webhook. */
function readTime(event: unknown): unknown {
  const { data } = Object(event) as Notification
  return data?.updated ?? data?.created
}

function isUntimedUpdate(event: unknown): boolean {
  const { event: name, data } = Object(event) as Notification
  return name === 'updated' && data?.updated === undefined
}

export const facts: ServiceFacts = {
  title: 'Webex',
  docs: 'https://developer.webex.com/docs/receive-and-verify-webhooks',
  checked: '2026-11',
  sources: [
    'https://developer.webex.com/docs/receive-and-verify-webhooks',
    'https://github.com/WebexSamples/webex-node-bot-framework/blob/master/lib/webhook.js',
  ],
  confidence: 'primary',
  setup: [
    'Create a webhook with the address as `targetUrl` and a random `secret` with the Webhooks API.',
    'The secret is this text. Webex signs nothing without it.',
  ],
  retries: 'unknown',
  traps: [
    'An update without a time, such as the one of a moderator, can have the body of an earlier update: each delivery of it is an event, also another attempt.',
    '`id` is the id of the webhook, not of the delivery: the id of an event is the hash of the body.',
    'A message has only its ids: read the text with the API.',
    'Subscriptions of Webex Contact Center have another form, and are refused.',
  ],
}
