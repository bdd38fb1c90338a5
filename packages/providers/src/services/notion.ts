import { bodyToken, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Notion: webhooks of integrations. */
export const notion = defineService({
  name: 'notion',
  signature: {
    ...hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-notion-signature', prefix: 'sha256=' }),
    // Notion posts the secret once, without a signature.
    redactBody: bodyToken('verification_token').redactBody,
  },
  kind: 'type',
  id: 'id',
  subject: 'entity.id',
  time: 'timestamp',
})

/** The facts for the documentation. */
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
    'Open the settings of the integration, Webhooks, and create a subscription with the address.',
    'Notion sends a `verification_token` to the address once, without a signature: show it with a program that prints the body, and press "Resend token".',
    'Enter the token in Notion. The same token is the secret.',
  ],
  retries: 'up to eight attempts in about 24 hours; the order is not preserved',
  traps: [
    '`attempt_number` makes the bodies of two attempts different: the id is the id of the event.',
    'The action "Send webhook" of an automation is not signed.',
  ],
}
