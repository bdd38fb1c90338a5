import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Klaviyo: system webhooks. */
export const klaviyo = defineService({
  name: 'klaviyo',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'klaviyo-signature',
    signedHeaders: ['klaviyo-timestamp'],
    content: ({ headers, body }) => [body, headers.get('klaviyo-timestamp') ?? undefined],
  }),
  events: 'data.*',
  kind: 'topic',
  id: ['/meta.klaviyo_account_id', 'external_id'],
  ignore: ['/meta.timestamp'],
  subject: ['payload.data.type', 'payload.data.id'],
  time: 'payload.data.attributes.datetime',
})

export const facts: ServiceFacts = {
  title: 'Klaviyo',
  docs: 'https://developers.klaviyo.com/en/docs/working_with_system_webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://developers.klaviyo.com/en/docs/working_with_system_webhooks'],
  identity: 'https://developers.klaviyo.com/en/docs/working_with_system_webhooks',
  setup: [
    'Create a system webhook with the address and a secret with the API.',
    'The secret is `secret_key` that you chose.',
  ],
  retries: 'unknown',
  traps: [
    'One delivery can have up to 1000 events.',
    'The id of an event is unique in its account: the id has both.',
    'The webhook action of a flow is not signed: the provider refuses it.',
    'The provider does not check the age of the signed time.',
  ],
}
