import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { messageId, orderingKey, parsePush, publishTime, pushKind, subscription } from '../pubsub-push.ts'

/** Google Cloud Pub/Sub: push subscriptions, such as those of Gmail, Cloud Storage and Google Play. */
export const googlePubsub = defineService({
  name: 'google-pubsub',
  signature: jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    claim: false,
    algorithms: ['RS256'],
    keySet: 'https://www.googleapis.com/oauth2/v3/certs',
    requiredClaims: ['iat', 'exp'],
    // Google repeats a token for up to an hour.
    toleranceSeconds: 3600,
    claims: { iss: ['https://accounts.google.com', 'accounts.google.com'], email_verified: true },
    check: ({ email, aud }, _, secrets) => secrets.includes(`${String(email)}:${String(aud)}`),
  }),
  parse: parsePush,
  kind: pushKind,
  // A push without a wrapper can have no metadata, and equal data in different messages.
  distinct: true,
  deliveryId: messageId,
  ignore: ['deliveryAttempt'],
  subject: [subscription, orderingKey],
  time: publishTime,
  bodyLimit: 15 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'Google Cloud Pub/Sub',
  docs: 'https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions',
  checked: '2026-11',
  sources: [
    'https://cloud.google.com/pubsub/docs/payload-unwrapping',
    'https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions',
    'https://cloud.google.com/pubsub/docs/push',
  ],
  confidence: 'primary',
  setup: [
    'Create a push subscription with the address, and enable authentication with a service account and an audience, such as the address.',
    'The secret is `<e-mail address of the service account>:<audience>`. It is not confidential: Google signs the token.',
    'For Gmail, call `users.watch` with the topic. For Google Play, select the topic in Monetization setup.',
  ],
  retries: 'with growing delays until the message expires, after up to 7 days',
  traps: [
    'The token says nothing about the body. Google repeats a token for up to an hour.',
    'Any Google account can create a token for the audience: the provider also compares the service account.',
    '`message.data` is base64.',
    'The kind is the attribute `eventType` or `ce-type`, otherwise `message`.',
    'The event of a push without a wrapper is the data of the publisher: JSON, or text. Enable "Write metadata": without it, each attempt is another event.',
    'Data in another format than text, such as Avro, need the wrapper.',
  ],
}
