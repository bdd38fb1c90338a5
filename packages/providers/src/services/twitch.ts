import { defineService, hmac, signedId, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Twitch: EventSub webhooks. */
export const twitch = defineService({
  name: 'twitch',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'twitch-eventsub-message-signature',
    prefix: 'sha256=',
    id: signedId({ header: 'twitch-eventsub-message-id' }),
    timestamp: signedTime({
      header: 'twitch-eventsub-message-timestamp',
      unit: 'rfc3339',
      toleranceSeconds: 600,
    }),
    content: ({ id, timestamp, body }) => [id, timestamp, body],
  }),
  kind: (event) => readKind(event),
  id: { header: 'twitch-eventsub-message-id' },
  subject: ['event.broadcaster_user_id', 'subscription.id'],
  time: { header: 'twitch-eventsub-message-timestamp' },
  handshake: echoHandshake({
    from: { json: 'challenge' },
    when: { headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' } },
    signed: true,
  }),
})

interface Message {
  readonly subscription?: { readonly type?: string }
  readonly event?: unknown
  /** A batch, such as the one of entitlements. */
  readonly events?: unknown
}

/** The header with the type of the message is not signed. Only a revocation has neither an event nor events. */
function readKind(message: unknown): string | undefined {
  const { subscription, event, events } = Object(message) as Message
  return event === undefined && events === undefined && subscription ? 'revocation' : subscription?.type
}

export const facts: ServiceFacts = {
  title: 'Twitch EventSub',
  docs: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
  checked: '2026-11',
  sources: [
    'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
    'https://dev.twitch.tv/docs/eventsub/',
  ],
  identity: 'https://dev.twitch.tv/docs/eventsub/',
  confidence: 'primary',
  setup: [
    'Create a subscription with the transport `webhook`, the address and a secret of 10 to 100 characters with the API.',
    'The secret is the secret of the transport.',
  ],
  retries: 'several times; Twitch revokes a subscription after too many failures',
  traps: [
    'A revoked subscription is an event of the kind `revocation`: its reason is `subscription.status`.',
  ],
}
