import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { refuseSignable, xHandshake } from '@sallyport/webhooks/handshakes'

/** X: the Account Activity API. */
export const x = defineService({
  name: 'x',
  createsSecret: true,
  signature: refuseSignable(
    hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'x-twitter-webhooks-signature',
      prefix: 'sha256=',
    }),
  ),
  kind: (event) => Object.keys(Object(event) as object).find((name) => /_events?$/.test(name)),
  subject: 'for_user_id',
  handshake: xHandshake(),
})

export const facts: ServiceFacts = {
  title: 'X',
  docs: 'https://docs.x.com/x-api/webhooks/introduction',
  checked: '2026-11',
  sources: [
    'https://docs.x.com/x-api/webhooks/introduction',
    'https://docs.x.com/x-api/account-activity/quickstart',
  ],
  confidence: 'primary',
  setup: [
    'Register the address with the webhooks API.',
    'The secret is the API key secret (consumer secret) of the app.',
  ],
  retries: 'unknown',
  traps: [
    'X checks the address with a challenge at least every day; the provider signs only texts that it refuses as a delivery.',
    'The payload has no id of the event: the id is the hash of the body.',
    'The kind is the member with the events. Deliveries of the X Activity API and of filtered streams have the kind `unknown`.',
  ],
}
