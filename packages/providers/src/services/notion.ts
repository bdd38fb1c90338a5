import { bodyToken, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { secretHandshake } from '@sallyport/webhooks/handshakes'

/** Notion: webhooks of integrations. */
export const notion = defineService({
  name: 'notion',
  signature: {
    ...hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-notion-signature', prefix: 'sha256=' }),
    // A refused handshake has the secret in its body.
    redactBody: bodyToken('verification_token').redactBody,
  },
  handshake: secretHandshake({ json: 'verification_token', kind: 'type' }),
  kind: 'type',
  id: 'id',
  subject: 'entity.id',
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Notion',
  docs: 'https://developers.notion.com/reference/webhooks',
  checked: '2026-11',
  sources: [
    'https://github.com/makenotion/notion-sdk-js/blob/main/src/webhooks.ts',
    'https://developers.notion.com/reference/webhooks',
    'https://developers.notion.com/reference/webhooks-events-delivery',
  ],
  identity: 'https://developers.notion.com/reference/webhooks-events-delivery',
  confidence: 'primary',
  setup: [
    'Create an endpoint without a secret. Open the settings of the integration, Webhooks, and create a subscription with the address of the endpoint.',
    'Notion sends a `verification_token` to the address once, without a signature. The endpoint stores it as the secret. An endpoint accepts it for one hour after you create the endpoint, and after `POST /endpoints/{id}/handshake`.',
    'Read the token once, on the page of the endpoint in the console or with `POST /endpoints/{id}/handshake/secret`, and enter it in Notion under "Verify".',
    'The address without an endpoint stores no token: show the token with a program that prints the body, and set it as the secret.',
  ],
  retries: 'up to eight attempts in about 24 hours; the order is not preserved',
  traps: [
    '`attempt_number` makes the bodies of two attempts different: the id is the id of the event.',
    'The action "Send webhook" of an automation is not signed.',
  ],
}
