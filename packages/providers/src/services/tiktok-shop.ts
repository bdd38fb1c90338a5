import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** The parts of a secret `app_key:app_secret`. */
function splitSecret(secret: string): readonly [appKey: string, appSecret: string] {
  const at = secret.indexOf(':')
  return [secret.slice(0, Math.max(at, 0)), secret.slice(at + 1)]
}

/** TikTok Shop: webhooks of an app. */
export const tiktokShop = defineService({
  name: 'tiktok-shop',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'authorization',
    key: (secret) => splitSecret(secret)[1],
    content: ({ secret, body }) => [splitSecret(secret)[0], body],
  }),
  kind: 'type',
  subject: ['shop_id', 'data.order_id'],
  time: 'timestamp',
  answer: { status: 200 },
})

export const facts: ServiceFacts = {
  title: 'TikTok Shop',
  docs: 'https://github.com/hookdeck/webhook-skills/tree/main/skills/tiktok-shop-webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://github.com/hookdeck/webhook-skills/tree/main/skills/tiktok-shop-webhooks'],
  setup: [
    'Open App & Service, the app, Developing, and enter the address for each event.',
    'The secret is `app_key:app_secret` of the app, joined by a colon.',
  ],
  retries: 'four times, after 2 and 30 minutes, 3 and 12 hours',
  traps: [
    'The kind is the number of the topic: TikTok does not publish all numbers. `1` is a changed order. Give each topic its own address to tell them apart.',
    'TikTok waits 3 seconds for the response, and expects an empty body.',
    'The signature has no time: a captured delivery verifies without a limit, and is a duplicate.',
  ],
}
