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
  kind: 'subscription.type',
  id: { header: 'twitch-eventsub-message-id' },
  subject: ['event.broadcaster_user_id', 'subscription.id'],
  time: { header: 'twitch-eventsub-message-timestamp' },
  handshake: echoHandshake({
    from: { json: 'challenge' },
    when: { headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' } },
    signed: true,
  }),
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Twitch EventSub',
  docs: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
  confidence: 'primary',
  setup: [
    'Create a subscription with the transport `webhook`, the address and a secret of 10 to 100 characters with the API.',
    'The secret is the secret of the transport.',
  ],
  retries: 'several times; Twitch revokes a subscription after too many failures',
  traps: ['A revoked subscription is an event of the kind of the subscription, without `event`.'],
}
